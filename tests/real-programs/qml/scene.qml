// Qt Quick in two dimensions and three: gradients, text, effects of opacity and clipping, a model with a shadow.
import QtQuick
import QtQuick3D

Window {
    property int frames: 0
    width: 320
    height: 240
    visible: true
    onFrameSwapped: {
        if (++frames === 100) {
            console.log("100 frames")
            contentItem.grabToImage(image => {
                image.saveToFile("frame.png")
                Qt.quit()
            })
        }
    }
    View3D {
        anchors.fill: parent
        environment: SceneEnvironment { antialiasingMode: SceneEnvironment.MSAA; depthTestEnabled: true }
        PerspectiveCamera { z: 400 }
        DirectionalLight { castsShadow: true; eulerRotation.x: -30 }
        Model {
            source: "#Cube"
            materials: PrincipledMaterial { baseColor: "green"; metalness: 0.5; roughness: 0.3 }
            eulerRotation.y: Math.min(frames, 100) * 3.5 /* by frames, not by time: the last one is the same each time */
        }
        Model { source: "#Sphere"; x: 100; opacity: 0.5; materials: PrincipledMaterial { baseColor: "red" } }
    }
    Rectangle {
        anchors.centerIn: parent
        width: 100; height: 60; radius: 10; opacity: 0.6; clip: true; layer.enabled: true
        gradient: Gradient { GradientStop { position: 0; color: "red" } GradientStop { position: 1; color: "blue" } }
        Text { anchors.centerIn: parent; text: "Assay" }
        rotation: Math.min(frames, 100) * 2.1
    }
}
