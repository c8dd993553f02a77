// ---- WebGL 2 -------------------------------------------------------------------------------------------------------

const FORMATS = {  // internal format: format and type of its data
    RGBA32F: ["RGBA", "FLOAT"], RGBA16F: ["RGBA", "FLOAT"], RG32F: ["RG", "FLOAT"], RG16F: ["RG", "FLOAT"],
    R32UI: ["RED_INTEGER", "UNSIGNED_INT"],
};
const BLOCKS = ["Cascades", "View", "Foam", "Sky", "LightSums"];  // uniform blocks, in the order of their binding points
const CORNERS = "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }";
const HEADER = "precision highp float; precision highp int; precision highp sampler2D;"
    + "precision highp sampler2DArray; precision highp usampler2D;\n"
    + "int findLSB(int bits) { return (bits & 1) != 0 ? 0 : (bits & 2) != 0 ? 1 : 2; }\n"  // of the three tile copies
    + "int findMSB(int n) { return int(floor(log2(float(n) + 0.5))); }\n";

// One context: programs with their uniforms by name, uniform blocks that programs share, textures and targets.
class Graphics {
    constructor(gl, sources, wantsHalf) {
        this.gl = gl;
        this.sources = sources;
        this.blocks = {};
        this.programs = {};  // by their text
        this.made = [];  // functions that delete textures and framebuffers
        const full = gl.getExtension("EXT_color_buffer_float"), half = gl.getExtension("EXT_color_buffer_half_float");
        if (!full && !half) throw new Error("This browser's WebGL 2 can't draw into floating-point textures.");
        this.precise = full && !wantsHalf ? "RGBA32F" : "RGBA16F";  // format in which transforms work
        const filter = gl.getExtension("EXT_texture_filter_anisotropic");
        this.anisotropy = filter ? Math.min(4, gl.getParameter(filter.MAX_TEXTURE_MAX_ANISOTROPY_EXT)) : 1;
        this.anisotropic = gl.createSampler();  // for tiles with mip levels
        gl.samplerParameteri(this.anisotropic, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
        if (filter) gl.samplerParameterf(this.anisotropic, filter.TEXTURE_MAX_ANISOTROPY_EXT, this.anisotropy);
        this.timer = gl.getExtension("EXT_disjoint_timer_query_webgl2");
        gl.getExtension("EXT_float_blend");
    }

    program(fragment, defines = {}, vertex = null) {
        const named = Object.entries(defines).map(([name, value]) => `#define ${name} ${value}\n`).join("");
        return this.programs[named + fragment] ??= this._link(fragment, named, vertex);
    }

    _link(fragment, named, vertex) {
        const gl = this.gl, program = gl.createProgram();
        const parts = [[gl.VERTEX_SHADER, vertex ? this.sources[vertex] : CORNERS], [gl.FRAGMENT_SHADER, this.sources[fragment]]];
        for (const [kind, text] of parts) {
            const shader = gl.createShader(kind);
            gl.shaderSource(shader, `#version 300 es\n${named}${HEADER}${text}`);
            gl.compileShader(shader);
            gl.attachShader(program, shader);
        }
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
            const logs = gl.getAttachedShaders(program).map(shader => gl.getShaderInfoLog(shader)).join("\n");
            throw new Error(`${fragment}: ${logs || gl.getProgramInfoLog(program)}`);
        }
        for (const name of BLOCKS) this._findBlock(program, name);
        return { program, uniforms: this._findUniforms(program) };
    }

    // Returns a function for each uniform that sets it; samplers take a texture, each on a unit of its own.
    _findUniforms(program) {
        const gl = this.gl, uniforms = {};
        let unit = 0;
        gl.useProgram(program);
        for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); ++i) {
            const { name, type } = gl.getActiveUniform(program, i), at = gl.getUniformLocation(program, name);
            if (!at) continue;  // in a block
            const set = {
                [gl.FLOAT]: "uniform1f", [gl.FLOAT_VEC2]: "uniform2fv", [gl.FLOAT_VEC4]: "uniform4fv", [gl.INT]: "uniform1i",
                [gl.INT_VEC2]: "uniform2iv", [gl.BOOL]: "uniform1i",
            }[type];
            if (set) {
                uniforms[name.replace("[0]", "")] = value => gl[set](at, value);
            } else {
                const own = unit++;
                gl.uniform1i(at, own);
                uniforms[name] = texture => {
                    gl.activeTexture(gl.TEXTURE0 + own);
                    gl.bindTexture(texture.kind, texture.texture);
                    gl.bindSampler(own, texture.sampler ?? null);
                };
            }
        }
        return uniforms;
    }

    _findBlock(program, name) {
        const gl = this.gl, index = gl.getUniformBlockIndex(program, name);
        if (index === gl.INVALID_INDEX) return;
        gl.uniformBlockBinding(program, index, BLOCKS.indexOf(name));
        if (this.blocks[name]) return;
        const size = gl.getActiveUniformBlockParameter(program, index, gl.UNIFORM_BLOCK_DATA_SIZE);
        const members = [...gl.getActiveUniformBlockParameter(program, index, gl.UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES)];
        const offsets = gl.getActiveUniforms(program, members, gl.UNIFORM_OFFSET);
        const places = {};
        members.forEach((member, i) => {
            const { name, type } = gl.getActiveUniform(program, member);
            const isFloat = ![gl.INT, gl.INT_VEC2, gl.INT_VEC4, gl.UNSIGNED_INT].includes(type);
            places[name] = { offset: offsets[i], isFloat };
        });
        const data = new ArrayBuffer(size), buffer = gl.createBuffer();
        gl.bindBufferBase(gl.UNIFORM_BUFFER, BLOCKS.indexOf(name), buffer);
        gl.bufferData(gl.UNIFORM_BUFFER, size, gl.DYNAMIC_DRAW);
        this.blocks[name] = { buffer, data, places };
    }

    // Writes members of a block, by their names in GLSL. Rows of an array of vectors lie 16 bytes apart.
    write(name, values) {
        const gl = this.gl, { buffer, data, places } = this.blocks[name];
        for (const [member, value] of Object.entries(values)) {
            const { offset, isFloat } = places[member];
            const view = isFloat ? new Float32Array(data, offset) : new Int32Array(data, offset);
            if (typeof value === "number") view[0] = value;
            else value.flat().forEach((one, i) => { view[i] = one; });
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
        const [form, type] = FORMATS[format].map(name => gl[name]);
        if (data && layers) gl.texSubImage3D(kind, 0, 0, 0, 0, width, height, layers, form, type, data);
        else if (data) gl.texSubImage2D(kind, 0, 0, 0, width, height, form, type, data);
        const wrap = repeat ? gl.REPEAT : gl.CLAMP_TO_EDGE, linear = nearest ? gl.NEAREST : gl.LINEAR;
        gl.texParameteri(kind, gl.TEXTURE_WRAP_S, wrap);
        gl.texParameteri(kind, gl.TEXTURE_WRAP_T, wrap);
        gl.texParameteri(kind, gl.TEXTURE_MAG_FILTER, linear);
        gl.texParameteri(kind, gl.TEXTURE_MIN_FILTER, levels > 1 ? gl.LINEAR_MIPMAP_LINEAR : linear);
        return { texture, kind, width, height };
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
        const gl = this.gl;
        gl.useProgram(program);
        for (const [name, value] of Object.entries(values)) uniforms[name]?.(value);
        gl.bindFramebuffer(gl.FRAMEBUFFER, target ? target.framebuffer : null);
        gl.viewport(0, 0, target ? target.width : gl.drawingBufferWidth, target ? target.height : gl.drawingBufferHeight);
        if (vertices) gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, vertices, instances);
        else gl.drawArrays(gl.TRIANGLES, 0, 3);
    }

    // Returns the texels of an image of a target, four numbers each. Waits for the GPU.
    read(target, image = 0) {
        const gl = this.gl, values = new Float32Array(4 * target.width * target.height);
        gl.bindFramebuffer(gl.FRAMEBUFFER, target.framebuffer);
        gl.readBuffer(gl.COLOR_ATTACHMENT0 + image);
        gl.readPixels(0, 0, target.width, target.height, gl.RGBA, gl.FLOAT, values);
        return values;
    }

    // Calls a function, and returns another one that deletes all textures and targets that it made.
    scope(make) {
        const outside = this.made;
        this.made = [];
        make();
        const own = this.made;
        this.made = outside;
        return () => own.forEach(remove => remove());
    }
}
