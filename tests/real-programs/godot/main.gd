# A scene with what makes Godot's renderers work: shadows, a sky, reflections, particles on the GPU, text.
extends Node3D

var box: MeshInstance3D
var frames := 0

func _ready() -> void:
	add_child(Label.new())
	get_child(0).text = "Assay"
	var camera := Camera3D.new()
	camera.position = Vector3(0, 1, 4)
	add_child(camera)
	var world := WorldEnvironment.new()
	world.environment = Environment.new()
	world.environment.background_mode = Environment.BG_SKY
	world.environment.sky = Sky.new()
	world.environment.sky.sky_material = ProceduralSkyMaterial.new()
	world.environment.glow_enabled = true
	world.environment.ssao_enabled = true
	add_child(world)
	var sun := DirectionalLight3D.new()
	sun.shadow_enabled = true
	sun.rotation = Vector3(-1, 0.5, 0)
	add_child(sun)
	var lamp := OmniLight3D.new()
	lamp.shadow_enabled = true
	lamp.position = Vector3(1, 2, 1)
	add_child(lamp)
	box = MeshInstance3D.new()
	box.mesh = BoxMesh.new()
	box.material_override = StandardMaterial3D.new()
	box.material_override.metallic = 0.7
	add_child(box)
	var particles := GPUParticles3D.new()
	particles.process_material = ParticleProcessMaterial.new()
	particles.draw_pass_1 = QuadMesh.new()
	particles.use_fixed_seed = true
	add_child(particles)

func _process(_delta: float) -> void:
	box.rotate_y(0.1)
	frames += 1
	if frames == 30:
		print("30 frames")
		await RenderingServer.frame_post_draw
		print("image ", get_viewport().get_texture().get_image().get_data().hex_encode().sha256_text())
