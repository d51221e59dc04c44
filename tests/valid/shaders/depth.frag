#version 450
layout(location = 0) in vec2 passed;
void main() { if (passed.x > 100.0) discard; gl_FragDepth = 0.25; }
