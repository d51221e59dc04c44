"""Shows whether PyTorch computes on Vulkan what it computes on the CPU."""

import sys

import torch

torch.manual_seed(1)
picture, matrix = torch.rand(1, 3, 32, 32), torch.rand(24, 40)
layers = torch.nn.Sequential(
    torch.nn.Conv2d(3, 8, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(8, 4, 3)
)


def same(name, on_cpu, on_vulkan):
    close = torch.allclose(on_cpu, on_vulkan.cpu(), rtol=1e-3, atol=1e-4)
    print(f'sum {name} {on_cpu.sum().item():.2f} {"OK" if close else "FAIL"}')
    return close


with torch.no_grad():
    right = [
        same('add', picture + picture, picture.to('vulkan') + picture.to('vulkan')),
        same(
            'product',
            matrix @ matrix.T,
            torch.mm(matrix.to('vulkan'), matrix.T.contiguous().to('vulkan')),
        ),
        same('softmax', torch.softmax(picture, 1), torch.softmax(picture.to('vulkan'), 1)),
    ]
    expected = layers(picture)
    picture = picture.to('vulkan')
    for layer in layers:
        weights = [layer.weight, layer.bias] if isinstance(layer, torch.nn.Conv2d) else None
        picture = (
            torch.nn.functional.conv2d(picture, *weights, padding=layer.padding)
            if weights
            else torch.relu(picture)
        )
    right.append(same('convolutions', expected, picture))
sys.exit(not all(right))
