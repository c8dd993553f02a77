const BLOCKS = ["Cascades", "View", "Foam", "Sky", "LightSums"];  // uniform blocks, by binding point
const DEFINES = { HIDES: 1, TAPS: 0, DIVES: 0, CLEAR: 1, FAR_FOAM: 0, BLOOM: 0, ACES: 1 };  // of the program's shaders
const CORNERS = "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }";
const HEADER = "precision highp float; precision highp int; precision highp sampler2D;"
    + "precision highp sampler2DArray; precision highp usampler2D;\n"
    + "int findLSB(int bits) { return (bits & 1) != 0 ? 0 : (bits & 2) != 0 ? 1 : 2; }\n"  // of the three tile copies
    + "int findMSB(int n) { return int(floor(log2(float(n) + 0.5))); }\n";

// One context: programs with their uniforms by name, uniform blocks that programs share, textures and targets.
class Graphics {
    constructor(gl) {
        this.gl = gl;
        this.blocks = {};
        this.programs = {};  // by their defines and names
        this.defines = DEFINES;
        this.made = [];  // functions that delete textures and framebuffers
        const full = gl.getExtension("EXT_color_buffer_float"), half = gl.getExtension("EXT_color_buffer_half_float");
        if (!full && !half) throw new Error("This browser's WebGL 2 can't draw into floating-point textures.");
        this.precise = full ? "RGBA32F" : "RGBA16F";  // format in which transforms work
        const filter = gl.getExtension("EXT_texture_filter_anisotropic");
        this.anisotropy = filter ? Math.min(4, gl.getParameter(filter.MAX_TEXTURE_MAX_ANISOTROPY_EXT)) : 1;
        this.anisotropic = gl.createSampler();  // for tiles with mip levels
        gl.samplerParameteri(this.anisotropic, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
        if (filter) gl.samplerParameterf(this.anisotropic, filter.TEXTURE_MAX_ANISOTROPY_EXT, this.anisotropy);
        this.timer = gl.getExtension("EXT_disjoint_timer_query_webgl2");
    }

    program(fragment, defines = {}, vertex = null) {
        const all = Object.entries({ ...this.defines, ...defines });
        const lines = all.map(([name, value]) => `#define ${name} ${value}\n`).join("");
        return this.programs[lines + fragment] ??= this.link(fragment, lines, vertex);
    }

    link(fragment, defines, vertex) {
        const gl = this.gl, program = gl.createProgram();
        const parts = [[gl.VERTEX_SHADER, vertex ? SHADERS[vertex] : CORNERS], [gl.FRAGMENT_SHADER, SHADERS[fragment]]];
        for (const [kind, text] of parts) {
            const shader = gl.createShader(kind);
            gl.shaderSource(shader, `#version 300 es\n${defines}${HEADER}${text}`);
            gl.compileShader(shader);
            gl.attachShader(program, shader);
        }
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
            const logs = gl.getAttachedShaders(program).map(shader => gl.getShaderInfoLog(shader)).join("\n");
            throw new Error(`${fragment}: ${logs || gl.getProgramInfoLog(program)}`);
        }
        BLOCKS.forEach((name, point) => this.findBlock(program, name, point));
        return { program, uniforms: this.findUniforms(program) };
    }

    // Returns a function for each uniform that sets it; samplers take a texture, each on a unit of its own.
    findUniforms(program) {
        const gl = this.gl, uniforms = {};
        let units = 0;
        gl.useProgram(program);
        for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); ++i) {
            const { name, type } = gl.getActiveUniform(program, i), at = gl.getUniformLocation(program, name);
            if (!at) continue;  // in a block
            const set = {
                [gl.FLOAT]: "uniform1f", [gl.FLOAT_VEC2]: "uniform2fv", [gl.FLOAT_VEC4]: "uniform4fv",
                [gl.INT]: "uniform1i", [gl.INT_VEC2]: "uniform2iv", [gl.BOOL]: "uniform1i",
            }[type];
            const unit = set ? null : units++;
            if (!set) gl.uniform1i(at, unit);
            uniforms[name.replace("[0]", "")] = set ? value => gl[set](at, value) : texture => {
                gl.activeTexture(gl.TEXTURE0 + unit);
                gl.bindTexture(texture.kind, texture.texture);
                gl.bindSampler(unit, texture.sampler ?? null);
            };
        }
        return uniforms;
    }

    // Finds the members of a uniform block, and makes its buffer, which all programs share.
    findBlock(program, block, point) {
        const gl = this.gl, index = gl.getUniformBlockIndex(program, block);
        if (index === gl.INVALID_INDEX) return;
        gl.uniformBlockBinding(program, index, point);
        if (this.blocks[block]) return;
        const ask = what => gl.getActiveUniformBlockParameter(program, index, what);
        const data = new ArrayBuffer(ask(gl.UNIFORM_BLOCK_DATA_SIZE)), buffer = gl.createBuffer(), members = {};
        for (const member of ask(gl.UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES)) {
            const { name, type } = gl.getActiveUniform(program, member);
            const isInteger = [gl.INT, gl.INT_VEC2, gl.INT_VEC4, gl.UNSIGNED_INT].includes(type);
            const [offset] = gl.getActiveUniforms(program, [member], gl.UNIFORM_OFFSET);
            members[name.replace(/\[0\]$/, "")] = new (isInteger ? Int32Array : Float32Array)(data, offset);
        }
        gl.bindBufferBase(gl.UNIFORM_BUFFER, point, buffer);
        gl.bufferData(gl.UNIFORM_BUFFER, data, gl.DYNAMIC_DRAW);
        this.blocks[block] = { buffer, data, members };
    }

    // Writes members of a block by their names in GLSL. An array of structs is an object with arrays of their members.
    write(block, values) {
        const gl = this.gl, { buffer, data, members } = this.blocks[block];
        for (const [name, value] of Object.entries(values)) {
            if (members[name]) members[name].set([value].flat(2));
            else for (const [part, each] of Object.entries(value))
                each.forEach((one, i) => members[`${name}[${i}].${part}`].set([one].flat()));
        }
        gl.bindBuffer(gl.UNIFORM_BUFFER, buffer);
        gl.bufferSubData(gl.UNIFORM_BUFFER, 0, data);
    }

    // Returns a texture; with `layers` it is an array. Filters are linear, with mip levels if there are several.
    texture(format, width, height, { layers = 0, levels = 1, data = null, nearest = false, repeat = false } = {}) {
        const gl = this.gl, texture = gl.createTexture(), kind = layers ? gl.TEXTURE_2D_ARRAY : gl.TEXTURE_2D;
        this.made.push(() => gl.deleteTexture(texture));
        gl.bindTexture(kind, texture);
        if (layers) gl.texStorage3D(kind, levels, gl[format], width, height, layers);
        else gl.texStorage2D(kind, levels, gl[format], width, height);
        const wrap = repeat ? gl.REPEAT : gl.CLAMP_TO_EDGE, filter = nearest ? gl.NEAREST : gl.LINEAR;
        for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(kind, side, wrap);
        gl.texParameteri(kind, gl.TEXTURE_MAG_FILTER, filter);
        gl.texParameteri(kind, gl.TEXTURE_MIN_FILTER, levels > 1 ? gl.LINEAR_MIPMAP_LINEAR : filter);
        const made = { texture, kind, width, height, format };
        if (data) this.upload(made, data, layers);
        if (data && levels > 1) gl.generateMipmap(kind);
        return made;
    }

    // Writes the texels of a texture, or of layers of it from `first` on.
    upload({ texture, kind, width, height, format }, data, layers = 0, first = 0) {
        const gl = this.gl, type = format === "R32UI" ? [gl.RED_INTEGER, gl.UNSIGNED_INT] : [gl.RGBA, gl.FLOAT];
        gl.bindTexture(kind, texture);
        if (layers) gl.texSubImage3D(kind, 0, 0, 0, first, width, height, layers, ...type, data);
        else gl.texSubImage2D(kind, 0, 0, 0, width, height, ...type, data);
    }

    // Returns a target that draws into textures, or into a layer and level of each: [texture, layer, level].
    target(...images) {
        const gl = this.gl, framebuffer = gl.createFramebuffer();
        this.made.push(() => gl.deleteFramebuffer(framebuffer));
        gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
        images.forEach(([{ texture, kind }, layer = 0, level = 0], i) => {
            const place = gl.COLOR_ATTACHMENT0 + i;
            if (kind === gl.TEXTURE_2D) gl.framebufferTexture2D(gl.FRAMEBUFFER, place, kind, texture, level);
            else gl.framebufferTextureLayer(gl.FRAMEBUFFER, place, texture, level, layer);
        });
        gl.drawBuffers(images.map((_, i) => gl.COLOR_ATTACHMENT0 + i));
        const [{ width, height }, , level = 0] = images[0];
        return { framebuffer, width: width >> level, height: height >> level, textures: images.map(image => image[0]) };
    }

    // Draws a program over a target (null: the canvas), or `vertices` of each of `instances` triangle strips.
    draw({ program, uniforms }, target, values, vertices = 0, instances = 1) {
        const gl = this.gl, { width, height } = target ?? gl.canvas;
        gl.useProgram(program);
        for (const [name, value] of Object.entries(values)) uniforms[name]?.(value);
        gl.bindFramebuffer(gl.FRAMEBUFFER, target ? target.framebuffer : null);
        gl.viewport(0, 0, width, height);
        if (vertices) gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, vertices, instances);
        else gl.drawArrays(gl.TRIANGLES, 0, 3);
    }

    // Returns the texels of an image of a target, four numbers each. Waits for the GPU.
    read({ framebuffer, width, height }, image = 0) {
        const gl = this.gl, values = new Float32Array(4 * width * height);
        gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
        gl.readBuffer(gl.COLOR_ATTACHMENT0 + image);
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.FLOAT, values);
        return values;
    }

    // Deletes all textures and targets.
    release() {
        this.made.forEach(remove => remove());
        this.made = [];
    }
}
