// Functions of earlier releases that GameMaker 2 and later do not have, written with those that it
// has.  Each begins with a line that starts with "function" or "#macro"; the comments before it
// are its own.  A project gets those that its code uses, and those that they use.

/// An instance on a layer of its object's depth.
function instance_create(px, py, kind) {
    return instance_create_depth(px, py, object_get_depth(kind), kind);
}

/// Another depth for the instances that an object gets from now on.
function object_set_depth(kind, depth_of_it) {
    var own = old_depths();
    own[? kind] = depth_of_it;
}

/// The depths that code chose, by object.
function old_depths() {
    static own = ds_map_create();
    return own;
}

/// Leave the room at one side, and come in at the other: across (0), down (1), or both (2).
function action_wrap(way) {
    if (way != 1) {
        if (hspeed > 0 && x > room_width) x -= room_width;
        if (hspeed < 0 && x < 0) x += room_width;
    }
    if (way != 0) {
        if (vspeed > 0 && y > room_height) y -= room_height;
        if (vspeed < 0 && y < 0) y += room_height;
    }
}

/// As many pictures next to each other as there are lives.
function action_draw_life_images(px, py, picture) {
    if (!sprite_exists(picture)) return;
    for (var number = 0; number < lives; number += 1) {
        draw_sprite(picture, 0, px + number * sprite_get_width(picture), py);
    }
}

/// The colours of the menus of health bars.
function old_bar_colour(number) {
    switch (number) {
        case 2: return c_black;
        case 3: return c_gray;
        case 4: return c_silver;
        case 5: return c_white;
        case 6: return c_maroon;
        case 7: return c_green;
        case 8: return c_olive;
        case 9: return c_navy;
        case 10: return c_purple;
        case 11: return c_teal;
        case 12: return c_red;
        case 13: return c_lime;
        case 14: return c_yellow;
        case 15: return c_blue;
        case 16: return c_fuchsia;
        case 17: return c_aqua;
    }
    return c_white;
}

/// The health as a bar; the menus of the action count backgrounds from 0 and bars from 0.
function action_draw_health(left, top, right, bottom, back, bar) {
    var low = c_red;
    var high = c_lime;
    if (bar == 1) {
        low = c_black;
        high = c_white;
    } else if (bar > 1) {
        low = old_bar_colour(bar);
        high = low;
    }
    draw_healthbar(left, top, right, bottom, health, old_bar_colour(back + 1), low, high, 0, back > 0, true);
}

/// Another picture for a sprite, with its own origin.
function action_replace_sprite(picture, file, count) {
    sprite_replace(picture, file, count, false, false, sprite_get_xoffset(picture), sprite_get_yoffset(picture));
}

/// The particle system of the actions, its types and its emitters.
function old_particles() {
    static parts = { system: -1, types: array_create(16, -1), emitters: array_create(8, -1) };
    if (parts.system == -1) parts.system = part_system_create();
    return parts;
}

function action_partsyst_create(depth_of_it) {
    var parts = old_particles();
    part_system_depth(parts.system, depth_of_it);
}

function action_partsyst_destroy() {
    var parts = old_particles();
    part_system_destroy(parts.system);
    parts.system = -1;
}

function action_partsyst_clear() {
    part_system_clear(old_particles().system);
}

function old_particle_type(number) {
    var parts = old_particles();
    if (parts.types[number] == -1) parts.types[number] = part_type_create();
    return parts.types[number];
}

function action_parttype_create(number, shape, picture, smallest, largest, growth) {
    var kind = old_particle_type(number);
    if (sprite_exists(picture)) part_type_sprite(kind, picture, true, false, false);
    else part_type_shape(kind, shape);
    part_type_size(kind, smallest, largest, growth, 0);
}

function action_parttype_color(number, mixed, first, second, from_alpha, to_alpha) {
    var kind = old_particle_type(number);
    if (mixed == 0) part_type_color_mix(kind, first, second);
    else part_type_color2(kind, first, second);
    part_type_alpha2(kind, from_alpha, to_alpha);
}

function action_parttype_life(number, shortest, longest) {
    part_type_life(old_particle_type(number), shortest, longest);
}

function action_parttype_speed(number, slowest, fastest, first, last, slowing) {
    var kind = old_particle_type(number);
    part_type_speed(kind, slowest, fastest, -slowing, 0);
    part_type_direction(kind, first, last, 0, 0);
}

function action_parttype_gravity(number, amount, way) {
    part_type_gravity(old_particle_type(number), amount, way);
}

function action_parttype_secondary(number, step_type, step_count, death_type, death_count) {
    var kind = old_particle_type(number);
    part_type_step(kind, step_count, old_particle_type(step_type));
    part_type_death(kind, death_count, old_particle_type(death_type));
}

function action_partemit_create(number, shape, left, right, top, bottom) {
    var parts = old_particles();
    if (parts.emitters[number] == -1) parts.emitters[number] = part_emitter_create(parts.system);
    part_emitter_region(parts.system, parts.emitters[number], left, right, top, bottom, shape, 0);
}

function action_partemit_destroy(number) {
    var parts = old_particles();
    if (parts.emitters[number] == -1) return;
    part_emitter_destroy(parts.system, parts.emitters[number]);
    parts.emitters[number] = -1;
}

function action_partemit_burst(number, kind, count) {
    var parts = old_particles();
    if (parts.emitters[number] == -1) return;
    part_emitter_burst(parts.system, parts.emitters[number], old_particle_type(kind), count);
}

function action_partemit_stream(number, kind, count) {
    var parts = old_particles();
    if (parts.emitters[number] == -1) return;
    part_emitter_stream(parts.system, parts.emitters[number], old_particle_type(kind), count);
}

// -- sounds ---------------------------------------------------------------------------------------

function sound_play(sound) {
    audio_play_sound(sound, 10, false);
}

function sound_loop(sound) {
    audio_play_sound(sound, 10, true);
}

function sound_stop(sound) {
    audio_stop_sound(sound);
}

function sound_stop_all() {
    audio_stop_all();
}

function sound_isplaying(sound) {
    return audio_is_playing(sound);
}

function sound_volume(sound, amount) {
    audio_sound_gain(sound, amount, 0);
}

function sound_global_volume(amount) {
    audio_master_gain(amount);
}

function sound_fade(sound, amount, time) {
    audio_sound_gain(sound, amount, time);
}

function sound_exists(sound) {
    return audio_exists(sound);
}

function sound_get_name(sound) {
    return audio_get_name(sound);
}

/// Sounds are there when the game begins.
function sound_restore(sound) {
}

function sound_discard(sound) {
}

/// No sound of a later runner has a pan of its own.
function sound_pan(sound, amount) {
}

// -- backgrounds ----------------------------------------------------------------------------------

function draw_background(back, px, py) {
    draw_sprite(back, 0, px, py);
}

function draw_background_ext(back, px, py, xscale, yscale, angle, colour, alpha) {
    draw_sprite_ext(back, 0, px, py, xscale, yscale, angle, colour, alpha);
}

function draw_background_stretched(back, px, py, width, height) {
    draw_sprite_stretched(back, 0, px, py, width, height);
}

function draw_background_stretched_ext(back, px, py, width, height, colour, alpha) {
    draw_sprite_stretched_ext(back, 0, px, py, width, height, colour, alpha);
}

function draw_background_part(back, left, top, width, height, px, py) {
    draw_sprite_part(back, 0, left, top, width, height, px, py);
}

function draw_background_part_ext(back, left, top, width, height, px, py, xscale, yscale, colour, alpha) {
    draw_sprite_part_ext(back, 0, left, top, width, height, px, py, xscale, yscale, colour, alpha);
}

function draw_background_tiled(back, px, py) {
    draw_sprite_tiled(back, 0, px, py);
}

function draw_background_tiled_ext(back, px, py, xscale, yscale, colour, alpha) {
    draw_sprite_tiled_ext(back, 0, px, py, xscale, yscale, colour, alpha);
}

function draw_background_general(back, left, top, width, height, px, py, xscale, yscale, rotation, c1, c2, c3, c4, alpha) {
    draw_sprite_general(back, 0, left, top, width, height, px, py, xscale, yscale, rotation, c1, c2, c3, c4, alpha);
}

function draw_background_scaled(back, px, py, xscale, yscale) {
    draw_sprite_ext(back, 0, px, py, xscale, yscale, 0, c_white, draw_get_alpha());
}

function draw_background_transparent(back, px, py, xscale, yscale, alpha) {
    draw_sprite_ext(back, 0, px, py, xscale, yscale, 0, c_white, alpha);
}

function draw_background_alpha(back, px, py, alpha) {
    draw_sprite_ext(back, 0, px, py, 1, 1, 0, c_white, alpha);
}

function background_get_width(back) {
    return sprite_get_width(back);
}

function background_get_height(back) {
    return sprite_get_height(back);
}

function background_get_name(back) {
    return sprite_get_name(back);
}

function background_get_texture(back) {
    return sprite_get_texture(back, 0);
}

function background_get_uvs(back) {
    return sprite_get_uvs(back, 0);
}

function background_exists(back) {
    return sprite_exists(back);
}

function background_add(file, removeback, smooth) {
    return sprite_add(file, 1, removeback, smooth, 0, 0);
}

function background_add_background(file, transparent, smooth, preload) {
    return sprite_add(file, 1, transparent, smooth, 0, 0);
}

function background_replace(back, file, removeback, smooth) {
    sprite_replace(back, file, 1, removeback, smooth, 0, 0);
}

function background_replace_background(back, file, transparent, smooth, preload) {
    sprite_replace(back, file, 1, transparent, smooth, 0, 0);
}

function background_delete(back) {
    sprite_delete(back);
}

function background_duplicate(back) {
    return sprite_duplicate(back);
}

function background_assign(back, source) {
    sprite_assign(back, source);
}

function background_save(back, file) {
    sprite_save(back, 0, file);
}

function background_create_from_surface(surface, px, py, width, height, removeback, smooth) {
    return sprite_create_from_surface(surface, px, py, width, height, removeback, smooth, 0, 0);
}

function background_create_color(width, height, colour) {
    var surface = surface_create(width, height);
    surface_set_target(surface);
    draw_clear(colour);
    surface_reset_target();
    var made = sprite_create_from_surface(surface, 0, 0, width, height, false, false, 0, 0);
    surface_free(surface);
    return made;
}

function background_create_colour(width, height, colour) {
    return background_create_color(width, height, colour);
}

function background_prefetch(back) {
    sprite_prefetch(back);
}

function background_flush(back) {
    sprite_flush(back);
}

function background_set_alpha_from_background(back, source) {
    sprite_set_alpha_from_sprite(back, source);
}

/// The layer of a background of the room: those of the editor, or a new one.
function old_background_layer(number) {
    var front = layer_get_id("Foreground_" + string(number));
    if (front != -1) return front;
    var back = layer_get_id("Background_" + string(number));
    if (back == -1) {
        back = layer_create(2147483599 - number, "Background_" + string(number));
        layer_background_create(back, -1);
        layer_set_visible(back, false);
    }
    return back;
}

/// A value of a background of the room.
function old_background_get(name, number = 0) {
    if (name == "showcolor") return layer_get_id("Colour") != -1 && layer_get_visible(layer_get_id("Colour"));
    if (name == "color") {
        if (layer_get_id("Colour") == -1) return c_black;
        return layer_background_get_blend(layer_background_get_id(layer_get_id("Colour")));
    }
    var place = old_background_layer(number);
    var shown = layer_background_get_id(place);
    switch (name) {
        case "visible": return layer_get_visible(place);
        case "foreground": return layer_get_depth(place) < 0;
        case "index": return layer_background_get_sprite(shown);
        case "x": return layer_get_x(place);
        case "y": return layer_get_y(place);
        case "hspeed": return layer_get_hspeed(place);
        case "vspeed": return layer_get_vspeed(place);
        case "htiled": return layer_background_get_htiled(shown);
        case "vtiled": return layer_background_get_vtiled(shown);
        case "xscale": return layer_background_get_xscale(shown);
        case "yscale": return layer_background_get_yscale(shown);
        case "blend": return layer_background_get_blend(shown);
        case "alpha": return layer_background_get_alpha(shown);
        case "width": return sprite_get_width(layer_background_get_sprite(shown));
        case "height": return sprite_get_height(layer_background_get_sprite(shown));
    }
    return 0;
}

/// Another value for a background of the room; the sign says what is done to the old one.
function old_background_set(name, number, value, sign = "=") {
    if (sign != "=") value = old_changed(old_background_get(name, number), value, sign);
    if (name == "showcolor" || name == "color") {
        var ground = layer_get_id("Colour");
        if (ground == -1) {
            ground = layer_create(2147483600, "Colour");
            layer_background_create(ground, -1);
        }
        if (name == "showcolor") layer_set_visible(ground, value);
        else layer_background_blend(layer_background_get_id(ground), value);
        return;
    }
    var place = old_background_layer(number);
    var shown = layer_background_get_id(place);
    switch (name) {
        case "visible": layer_set_visible(place, value); break;
        case "foreground": layer_depth(place, value ? -2147483500 - number : 2147483599 - number); break;
        case "index": layer_background_sprite(shown, value); break;
        case "x": layer_x(place, value); break;
        case "y": layer_y(place, value); break;
        case "hspeed": layer_hspeed(place, value); break;
        case "vspeed": layer_vspeed(place, value); break;
        case "htiled": layer_background_htiled(shown, value); break;
        case "vtiled": layer_background_vtiled(shown, value); break;
        case "xscale": layer_background_xscale(shown, value); break;
        case "yscale": layer_background_yscale(shown, value); break;
        case "blend": layer_background_blend(shown, value); break;
        case "alpha": layer_background_alpha(shown, value); break;
    }
}

/// What a compound assignment makes of a value.
function old_changed(value, other_value, sign) {
    switch (sign) {
        case "+=": return value + other_value;
        case "-=": return value - other_value;
        case "*=": return value * other_value;
        case "/=": return value / other_value;
        case "|=": return value | other_value;
        case "&=": return value & other_value;
        case "^=": return value ^ other_value;
    }
    return other_value;
}

// -- views ----------------------------------------------------------------------------------------

/// A value of a view: of its camera.
function old_view_get(name, number = 0) {
    var camera = view_camera[number];
    switch (name) {
        case "xview": return camera_get_view_x(camera);
        case "yview": return camera_get_view_y(camera);
        case "wview": return camera_get_view_width(camera);
        case "hview": return camera_get_view_height(camera);
        case "angle": return camera_get_view_angle(camera);
        case "hborder": return camera_get_view_border_x(camera);
        case "vborder": return camera_get_view_border_y(camera);
        case "hspeed": return camera_get_view_speed_x(camera);
        case "vspeed": return camera_get_view_speed_y(camera);
        case "object": return camera_get_view_target(camera);
    }
    return 0;
}

/// Another value for a view; the sign says what is done to the old one.
function old_view_set(name, number, value, sign = "=") {
    if (sign != "=") value = old_changed(old_view_get(name, number), value, sign);
    var camera = view_camera[number];
    switch (name) {
        case "xview": camera_set_view_pos(camera, value, camera_get_view_y(camera)); break;
        case "yview": camera_set_view_pos(camera, camera_get_view_x(camera), value); break;
        case "wview": camera_set_view_size(camera, value, camera_get_view_height(camera)); break;
        case "hview": camera_set_view_size(camera, camera_get_view_width(camera), value); break;
        case "angle": camera_set_view_angle(camera, value); break;
        case "hborder": camera_set_view_border(camera, value, camera_get_view_border_y(camera)); break;
        case "vborder": camera_set_view_border(camera, camera_get_view_border_x(camera), value); break;
        case "hspeed": camera_set_view_speed(camera, value, camera_get_view_speed_y(camera)); break;
        case "vspeed": camera_set_view_speed(camera, camera_get_view_speed_x(camera), value); break;
        case "object": camera_set_view_target(camera, value); break;
    }
}

/// A view of a room, before that begins.
function room_set_view(place, number, shown, xview, yview, wview, hview, xport, yport, wport, hport, hborder, vborder, hspeed_of, vspeed_of, followed) {
    room_set_viewport(place, number, shown, xport, yport, wport, hport);
    room_set_camera(place, number, camera_create_view(xview, yview, wview, hview, 0, followed, hspeed_of, vspeed_of, hborder, vborder));
}

// -- drawing --------------------------------------------------------------------------------------

function draw_set_blend_mode(mode) {
    gpu_set_blendmode(mode);
}

function draw_set_blend_mode_ext(source, target) {
    gpu_set_blendmode_ext(source, target);
}

function draw_enable_alphablend(is_on) {
    gpu_set_blendenable(is_on);
}

function draw_set_alpha_test(is_on) {
    gpu_set_alphatestenable(is_on);
}

function draw_get_alpha_test() {
    return gpu_get_alphatestenable();
}

function draw_set_alpha_test_ref_value(value) {
    gpu_set_alphatestref(value);
}

function draw_get_alpha_test_ref_value() {
    return gpu_get_alphatestref();
}

function draw_set_color_write_enable(red, green, blue, alpha) {
    gpu_set_colourwriteenable(red, green, blue, alpha);
}

function draw_set_colour_write_enable(red, green, blue, alpha) {
    gpu_set_colourwriteenable(red, green, blue, alpha);
}

function texture_set_interpolation(is_on) {
    gpu_set_texfilter(is_on);
}

function texture_set_interpolation_ext(sampler, is_on) {
    gpu_set_texfilter_ext(sampler, is_on);
}

function texture_set_repeat(is_on) {
    gpu_set_texrepeat(is_on);
}

function texture_set_repeat_ext(sampler, is_on) {
    gpu_set_texrepeat_ext(sampler, is_on);
}

/// The mix of colours is how pictures are drawn by themselves.
function texture_set_blending(is_on) {
}

function texture_preload(texture) {
    texture_prefetch(texture);
}

function texture_set_priority(texture, priority) {
}

function draw_sprite_scaled(picture, frame, px, py, scale) {
    draw_sprite_ext(picture, frame, px, py, scale, scale, 0, c_white, draw_get_alpha());
}

function draw_sprite_transparent(picture, frame, px, py, scale, alpha) {
    draw_sprite_ext(picture, frame, px, py, scale, scale, 0, c_white, alpha);
}

function draw_sprite_alpha(picture, frame, px, py, alpha) {
    draw_sprite_ext(picture, frame, px, py, 1, 1, 0, c_white, alpha);
}

function draw_pixel(px, py) {
    draw_point(px, py);
}

/// The screen is drawn when a step ends; a game can't draw it between.
function screen_redraw() {
}

function screen_refresh() {
}

function screen_wait_vsync() {
}

function set_automatic_draw(is_on) {
    draw_enable_drawevent(is_on);
}

function set_synchronization(is_on) {
    display_reset(0, is_on);
}

// -- tiles ----------------------------------------------------------------------------------------

/// The layer of tiles of a depth; a new one if the room has none.
function old_tile_layer(depth_of_it) {
    var name = "Tiles_" + (depth_of_it < 0 ? "m" : "") + string(abs(depth_of_it)) + "_added";
    var place = layer_get_id(name);
    return place == -1 ? layer_create(depth_of_it, name) : place;
}

/// The layers of tiles of a depth, those of the editor first.
function old_tile_layers(depth_of_it) {
    var stem = "Tiles_" + (depth_of_it < 0 ? "m" : "") + string(abs(depth_of_it));
    var found = [];
    var all_of_them = layer_get_all();
    for (var number = 0; number < array_length(all_of_them); number += 1) {
        var name = layer_get_name(all_of_them[number]);
        if (name == stem || string_copy(name, 1, string_length(stem) + 1) == stem + "_") {
            array_push(found, all_of_them[number]);
        }
    }
    return found;
}

function tile_add(back, left, top, width, height, px, py, depth_of_it) {
    return layer_tile_create(old_tile_layer(depth_of_it), px, py, back, left, top, width, height);
}

function tile_delete(tile) {
    layer_tile_destroy(tile);
}

function tile_exists(tile) {
    return layer_tile_exists(-1, tile);
}

function tile_get_x(tile) {
    return layer_tile_get_x(tile);
}

function tile_get_y(tile) {
    return layer_tile_get_y(tile);
}

function tile_set_position(tile, px, py) {
    layer_tile_x(tile, px);
    layer_tile_y(tile, py);
}

function tile_set_region(tile, left, top, width, height) {
    layer_tile_region(tile, left, top, width, height);
}

function tile_set_background(tile, back) {
    layer_tile_change(tile, back);
}

function tile_get_background(tile) {
    return layer_tile_get_sprite(tile);
}

function tile_set_visible(tile, is_on) {
    layer_tile_visible(tile, is_on);
}

function tile_get_visible(tile) {
    return layer_tile_get_visible(tile);
}

function tile_set_scale(tile, xscale, yscale) {
    layer_tile_xscale(tile, xscale);
    layer_tile_yscale(tile, yscale);
}

function tile_get_xscale(tile) {
    return layer_tile_get_xscale(tile);
}

function tile_get_yscale(tile) {
    return layer_tile_get_yscale(tile);
}

function tile_set_blend(tile, colour) {
    layer_tile_blend(tile, colour);
}

function tile_get_blend(tile) {
    return layer_tile_get_blend(tile);
}

function tile_set_alpha(tile, alpha) {
    layer_tile_alpha(tile, alpha);
}

function tile_get_alpha(tile) {
    return layer_tile_get_alpha(tile);
}

function tile_layer_hide(depth_of_it) {
    var places = old_tile_layers(depth_of_it);
    for (var number = 0; number < array_length(places); number += 1) layer_set_visible(places[number], false);
}

function tile_layer_show(depth_of_it) {
    var places = old_tile_layers(depth_of_it);
    for (var number = 0; number < array_length(places); number += 1) layer_set_visible(places[number], true);
}

function tile_layer_shift(depth_of_it, px, py) {
    var places = old_tile_layers(depth_of_it);
    for (var number = 0; number < array_length(places); number += 1) {
        layer_x(places[number], layer_get_x(places[number]) + px);
        layer_y(places[number], layer_get_y(places[number]) + py);
    }
}

function tile_layer_delete(depth_of_it) {
    var places = old_tile_layers(depth_of_it);
    for (var number = 0; number < array_length(places); number += 1) layer_destroy(places[number]);
}

function tile_layer_depth(depth_of_it, other_depth) {
    var places = old_tile_layers(depth_of_it);
    for (var number = 0; number < array_length(places); number += 1) layer_depth(places[number], other_depth);
}

// -- collisions and movement of Game Maker 5 --------------------------------------------------------

function move_contact(way) {
    move_contact_solid(way, -1);
}

function sprite_get_transparent(picture) {
    return true;
}

function sprite_get_precise(picture) {
    return true;
}

/// Pictures are in memory for as long as the game runs.
function sprite_discard(picture) {
}

function sprite_restore(picture) {
}

function background_discard(back) {
}

function background_restore(back) {
}

function sprite_add_sprite(file, count, precise, transparent, smooth, preload, xorigin, yorigin) {
    return sprite_add(file, count, transparent, smooth, xorigin, yorigin);
}

function sprite_replace_sprite(picture, file, count, precise, transparent, smooth, preload, xorigin, yorigin) {
    sprite_replace(picture, file, count, transparent, smooth, xorigin, yorigin);
}

function sprite_create_from_screen(px, py, width, height, precise, transparent, smooth, preload, xorigin, yorigin) {
    return sprite_create_from_surface(application_surface, px, py, width, height, transparent, smooth, xorigin, yorigin);
}

function background_create_from_screen(px, py, width, height, transparent, smooth, preload) {
    return sprite_create_from_surface(application_surface, px, py, width, height, transparent, smooth, 0, 0);
}

// -- variables by their names -----------------------------------------------------------------------

function variable_local_exists(name) {
    return variable_instance_exists(id, name);
}

function variable_local_get(name) {
    return variable_instance_get(id, name);
}

function variable_local_set(name, value) {
    variable_instance_set(id, name, value);
}

function variable_global_array_get(name, index) {
    return array_get(variable_global_get(name), index);
}

function variable_global_array_set(name, index, value) {
    if (!variable_global_exists(name)) variable_global_set(name, []);
    array_set(variable_global_get(name), index, value);
}

// -- files and the system ---------------------------------------------------------------------------

/// The one file that functions without a number mean.
function old_file(opened = undefined) {
    static number = -1;
    if (opened != undefined) number = opened;
    return number;
}

function file_open_read(name) {
    old_file(file_text_open_read(name));
}

function file_open_write(name) {
    old_file(file_text_open_write(name));
}

function file_open_append(name) {
    old_file(file_text_open_append(name));
}

function file_close() {
    file_text_close(old_file());
}

function file_eof() {
    return file_text_eof(old_file());
}

function file_read_real() {
    return file_text_read_real(old_file());
}

function file_read_string() {
    return file_text_read_string(old_file());
}

function file_readln() {
    file_text_readln(old_file());
}

function file_write_real(value) {
    file_text_write_real(old_file(), value);
}

function file_write_string(value) {
    file_text_write_string(old_file(), value);
}

function file_writeln() {
    file_text_writeln(old_file());
}

/// Wait, while nothing is drawn.
function sleep(milliseconds) {
    var last = current_time + milliseconds;
    while (current_time < last) {
    }
}

/// Menus are gone: the answer is the number that was given for none.
function show_menu(items, usual) {
    return usual;
}

function set_application_title(title) {
    window_set_caption(title);
}

function window_set_sizeable(is_on) {
}

function window_set_showicons(is_on) {
}

function window_set_stayontop(is_on) {
}

function set_program_priority(priority) {
}

function display_set_size(width, height) {
    window_set_size(width, height);
    return true;
}

function display_set_all(width, height, frequency, colours) {
    window_set_size(width, height);
    return true;
}

function display_test_all(width, height, frequency, colours) {
    return true;
}

function display_set_frequency(frequency) {
    return true;
}

function display_set_colordepth(colours) {
    return true;
}

function display_get_colordepth() {
    return 32;
}

function room_set_caption(place, caption) {
}

// -- joysticks are gamepads now -----------------------------------------------------------------------

function joystick_exists(number) {
    return gamepad_is_connected(number - 1);
}

function joystick_name(number) {
    return gamepad_get_description(number - 1);
}

function joystick_axes(number) {
    return gamepad_axis_count(number - 1);
}

function joystick_buttons(number) {
    return gamepad_button_count(number - 1);
}

function joystick_check_button(number, button) {
    return gamepad_button_check(number - 1, gp_face1 + button - 1);
}

function joystick_xpos(number) {
    return gamepad_axis_value(number - 1, gp_axislh);
}

function joystick_ypos(number) {
    return gamepad_axis_value(number - 1, gp_axislv);
}

function joystick_has_pov(number) {
    return gamepad_is_connected(number - 1);
}

function joystick_pov(number) {
    var pad = number - 1;
    var right = gamepad_button_check(pad, gp_padr) - gamepad_button_check(pad, gp_padl);
    var down = gamepad_button_check(pad, gp_padd) - gamepad_button_check(pad, gp_padu);
    if (right == 0 && down == 0) return -1;
    return (450 - point_direction(0, 0, right, down)) mod 360;
}

// -- particles ----------------------------------------------------------------------------------------

function part_system_doastep(system) {
    part_system_update(system);
}

function part_system_draw(system) {
    part_system_drawit(system);
}

function part_type_color(kind, first, middle, last) {
    part_type_color3(kind, first, middle, last);
}

function part_type_alpha(kind, first, middle, last) {
    part_type_alpha3(kind, first, middle, last);
}

// -- messages -----------------------------------------------------------------------------------------

/// A message with one button: the first of three was pressed.
function show_message_ext(text, first, second, third) {
    show_message(text);
    return 1;
}

/// Messages look like those of the system.
function message_background(back) {
}

function message_button(picture) {
}

function message_alpha(alpha) {
}

function message_caption(is_on, text) {
}

function message_position(px, py) {
}

function message_size(width, height) {
}

function message_text_font(name, size, colour, style) {
}

function message_button_font(name, size, colour, style) {
}

function message_input_font(name, size, colour, style) {
}

function message_mouse_color(colour) {
}

function message_input_color(colour) {
}

// -- high scores ------------------------------------------------------------------------------------------

/// The best scores as a message; a score that is not below 0 is added first.
function highscore_show(value) {
    if (value >= 0) highscore_add(get_string("Name:", ""), value);
    var text = "";
    for (var place = 1; place <= 10; place += 1) {
        text += string(place) + ". " + highscore_name(place) + ": " + string(highscore_value(place)) + chr(10);
    }
    show_message(text);
}

function highscore_show_ext(value, back, border, colour, other_colour, font, size) {
    highscore_show(value);
}

function highscore_add_current() {
    highscore_add(get_string("Name:", ""), score);
}

/// Messages look like those of the system.
function highscore_set_background(back) {
}

function highscore_set_border(is_on) {
}

function highscore_set_font(name, size, style) {
}

function highscore_set_colors(back, colour, other_colour) {
}

function highscore_set_strings(caption, no_one_yet, escape) {
}

// -- sounds of files ------------------------------------------------------------------------------------

/// Later releases play files in Ogg Vorbis only.
function sound_add(file, kind, preload) {
    return audio_create_stream(file);
}

function sound_delete(sound) {
    audio_destroy_stream(sound);
}

// -- three dimensions -----------------------------------------------------------------------------------

function d3d_start() {
    gpu_set_ztestenable(true);
    gpu_set_zwriteenable(true);
}

function d3d_end() {
    gpu_set_ztestenable(false);
    gpu_set_zwriteenable(false);
}

function d3d_set_hidden(is_on) {
    gpu_set_ztestenable(is_on);
}

function d3d_set_zwriteenable(is_on) {
    gpu_set_zwriteenable(is_on);
}

function d3d_set_culling(is_on) {
    gpu_set_cullmode(is_on ? cull_counterclockwise : cull_noculling);
}

function d3d_set_fog(is_on, colour, first, last) {
    gpu_set_fog(is_on, colour, first, last);
}

function d3d_set_depth(depth_of_it) {
    gpu_set_depth(depth_of_it);
}

function d3d_set_lighting(is_on) {
    draw_set_lighting(is_on);
}

/// Colours are always mixed between the corners.
function d3d_set_shading(is_smooth) {
}

/// What is drawn in two dimensions has no perspective.
function d3d_set_perspective(is_on) {
}

function d3d_light_define_ambient(colour) {
    draw_light_define_ambient(colour);
}

function d3d_light_define_direction(number, dx, dy, dz, colour) {
    draw_light_define_direction(number, dx, dy, dz, colour);
}

function d3d_light_define_point(number, px, py, pz, range, colour) {
    draw_light_define_point(number, px, py, pz, range, colour);
}

function d3d_light_enable(number, is_on) {
    draw_light_enable(number, is_on);
}

/// A camera at a place that looks at another one, with an angle of view of 45 degrees.
function d3d_set_projection(xfrom, yfrom, zfrom, xto, yto, zto, xup, yup, zup) {
    d3d_set_projection_ext(xfrom, yfrom, zfrom, xto, yto, zto, xup, yup, zup, 45, 4 / 3, 1, 32000);
}

function d3d_set_projection_ext(xfrom, yfrom, zfrom, xto, yto, zto, xup, yup, zup, angle, aspect, nearest, furthest) {
    matrix_set(matrix_view, matrix_build_lookat(xfrom, yfrom, zfrom, xto, yto, zto, xup, yup, zup));
    matrix_set(matrix_projection, matrix_build_projection_perspective_fov(-angle, -aspect, nearest, furthest));
}

function d3d_set_projection_ortho(px, py, width, height, angle) {
    var xmiddle = px + width / 2;
    var ymiddle = py + height / 2;
    matrix_set(matrix_view, matrix_build_lookat(xmiddle, ymiddle, -16000, xmiddle, ymiddle, 0, dsin(-angle), dcos(-angle), 0));
    matrix_set(matrix_projection, matrix_build_projection_ortho(width, height, 1, 32000));
}

/// A matrix for what is drawn next, instead of the one before, or behind it.
function old_transform(matrix, is_added) {
    if (is_added) matrix = matrix_multiply(matrix_get(matrix_world), matrix);
    matrix_set(matrix_world, matrix);
}

function old_moved(px, py, pz) {
    return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, px, py, pz, 1];
}

function old_scaled(xscale, yscale, zscale) {
    return [xscale, 0, 0, 0, 0, yscale, 0, 0, 0, 0, zscale, 0, 0, 0, 0, 1];
}

/// A rotation around an axis (0 to 2), as pictures are rotated around the third one.
function old_rotated(axis, angle) {
    var c = dcos(angle);
    var s = dsin(angle);
    if (axis == 0) return [1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0, 0, 0, 0, 1];
    if (axis == 1) return [c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0, 0, 0, 0, 1];
    return [c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
}

function d3d_transform_set_identity() {
    old_transform(old_moved(0, 0, 0), false);
}

function d3d_transform_set_translation(px, py, pz) {
    old_transform(old_moved(px, py, pz), false);
}

function d3d_transform_set_scaling(xscale, yscale, zscale) {
    old_transform(old_scaled(xscale, yscale, zscale), false);
}

function d3d_transform_set_rotation_x(angle) {
    old_transform(old_rotated(0, angle), false);
}

function d3d_transform_set_rotation_y(angle) {
    old_transform(old_rotated(1, angle), false);
}

function d3d_transform_set_rotation_z(angle) {
    old_transform(old_rotated(2, angle), false);
}

function d3d_transform_add_translation(px, py, pz) {
    old_transform(old_moved(px, py, pz), true);
}

function d3d_transform_add_scaling(xscale, yscale, zscale) {
    old_transform(old_scaled(xscale, yscale, zscale), true);
}

function d3d_transform_add_rotation_x(angle) {
    old_transform(old_rotated(0, angle), true);
}

function d3d_transform_add_rotation_y(angle) {
    old_transform(old_rotated(1, angle), true);
}

function d3d_transform_add_rotation_z(angle) {
    old_transform(old_rotated(2, angle), true);
}

/// The matrices that were put away.
function old_transforms() {
    static kept = [];
    return kept;
}

function d3d_transform_stack_push() {
    array_push(old_transforms(), matrix_get(matrix_world));
    return true;
}

function d3d_transform_stack_pop() {
    var kept = old_transforms();
    if (array_length(kept) == 0) return false;
    matrix_set(matrix_world, array_pop(kept));
    return true;
}

function d3d_transform_stack_empty() {
    return array_length(old_transforms()) == 0;
}

function d3d_transform_stack_clear() {
    var kept = old_transforms();
    while (array_length(kept) > 0) array_pop(kept);
}

/// What is drawn with corners in three dimensions: where they are kept.
function old_corners() {
    static made = undefined;
    if (made == undefined) {
        vertex_format_begin();
        vertex_format_add_position_3d();
        vertex_format_add_normal();
        vertex_format_add_colour();
        vertex_format_add_texcoord();
        made = { buffer: vertex_create_buffer(), format: vertex_format_end(), kind: pr_trianglelist, texture: -1, recorded: -1 };
    }
    return made;
}

function d3d_primitive_begin(kind) {
    d3d_primitive_begin_texture(kind, -1);
}

function d3d_primitive_begin_texture(kind, texture) {
    var made = old_corners();
    made.kind = kind;
    made.texture = texture;
    vertex_begin(made.buffer, made.format);
}

function d3d_primitive_end() {
    var made = old_corners();
    vertex_end(made.buffer);
    vertex_submit(made.buffer, made.kind, made.texture);
}

/// A corner of what is drawn, or of the part of a model.
function old_corner(px, py, pz, nx, ny, nz, xtex, ytex, colour, alpha) {
    var made = old_corners();
    if (is_array(made.recorded)) {
        array_push(made.recorded, [px, py, pz, nx, ny, nz, xtex, ytex, colour, alpha]);
        return;
    }
    var buffer = made.buffer;
    vertex_position_3d(buffer, px, py, pz);
    vertex_normal(buffer, nx, ny, nz);
    vertex_colour(buffer, colour, alpha);
    vertex_texcoord(buffer, xtex, ytex);
}

function d3d_vertex(px, py, pz) {
    old_corner(px, py, pz, 0, 0, -1, 0, 0, draw_get_colour(), draw_get_alpha());
}

function d3d_vertex_color(px, py, pz, colour, alpha) {
    old_corner(px, py, pz, 0, 0, -1, 0, 0, colour, alpha);
}

function d3d_vertex_texture(px, py, pz, xtex, ytex) {
    old_corner(px, py, pz, 0, 0, -1, xtex, ytex, draw_get_colour(), draw_get_alpha());
}

function d3d_vertex_texture_color(px, py, pz, xtex, ytex, colour, alpha) {
    old_corner(px, py, pz, 0, 0, -1, xtex, ytex, colour, alpha);
}

function d3d_vertex_normal(px, py, pz, nx, ny, nz) {
    old_corner(px, py, pz, nx, ny, nz, 0, 0, draw_get_colour(), draw_get_alpha());
}

function d3d_vertex_normal_texture(px, py, pz, nx, ny, nz, xtex, ytex) {
    old_corner(px, py, pz, nx, ny, nz, xtex, ytex, draw_get_colour(), draw_get_alpha());
}

/// Two triangles with four corners, given around.
function old_quad(x1, y1, z1, x2, y2, z2, x3, y3, z3, x4, y4, z4, nx, ny, nz, hrepeat, vrepeat) {
    var colour = draw_get_colour();
    var alpha = draw_get_alpha();
    old_corner(x1, y1, z1, nx, ny, nz, 0, 0, colour, alpha);
    old_corner(x2, y2, z2, nx, ny, nz, hrepeat, 0, colour, alpha);
    old_corner(x3, y3, z3, nx, ny, nz, hrepeat, vrepeat, colour, alpha);
    old_corner(x1, y1, z1, nx, ny, nz, 0, 0, colour, alpha);
    old_corner(x3, y3, z3, nx, ny, nz, hrepeat, vrepeat, colour, alpha);
    old_corner(x4, y4, z4, nx, ny, nz, 0, vrepeat, colour, alpha);
}

/// A floor, or a slope along its first side.
function d3d_draw_floor(x1, y1, z1, x2, y2, z2, texture, hrepeat, vrepeat) {
    d3d_primitive_begin_texture(pr_trianglelist, texture);
    old_quad(x1, y1, z1, x2, y1, z2, x2, y2, z2, x1, y2, z1, 0, 0, 1, hrepeat, vrepeat);
    d3d_primitive_end();
}

function d3d_draw_wall(x1, y1, z1, x2, y2, z2, texture, hrepeat, vrepeat) {
    d3d_primitive_begin_texture(pr_trianglelist, texture);
    old_wall(x1, y1, z1, x2, y2, z2, hrepeat, vrepeat);
    d3d_primitive_end();
}

/// The six sides of a block.
function old_block(x1, y1, z1, x2, y2, z2, hrepeat, vrepeat) {
    old_quad(x1, y1, z1, x1, y2, z1, x2, y2, z1, x2, y1, z1, 0, 0, -1, hrepeat, vrepeat);
    old_quad(x1, y1, z2, x2, y1, z2, x2, y2, z2, x1, y2, z2, 0, 0, 1, hrepeat, vrepeat);
    old_quad(x1, y1, z1, x2, y1, z1, x2, y1, z2, x1, y1, z2, 0, -1, 0, hrepeat, vrepeat);
    old_quad(x1, y2, z1, x1, y2, z2, x2, y2, z2, x2, y2, z1, 0, 1, 0, hrepeat, vrepeat);
    old_quad(x1, y1, z1, x1, y1, z2, x1, y2, z2, x1, y2, z1, -1, 0, 0, hrepeat, vrepeat);
    old_quad(x2, y1, z1, x2, y2, z1, x2, y2, z2, x2, y1, z2, 1, 0, 0, hrepeat, vrepeat);
}

function old_wall(x1, y1, z1, x2, y2, z2, hrepeat, vrepeat) {
    var length = max(0.0001, point_distance(x1, y1, x2, y2));
    old_quad(x1, y1, z1, x2, y2, z1, x2, y2, z2, x1, y1, z2, (y2 - y1) / length, (x1 - x2) / length, 0, hrepeat, vrepeat);
}

/// A round body between two heights: as wide at the top as "top" says (1 a cylinder, 0 a cone).
function old_round(x1, y1, z1, x2, y2, z2, top, hrepeat, vrepeat, is_closed, steps) {
    var xmiddle = (x1 + x2) / 2;
    var ymiddle = (y1 + y2) / 2;
    var xradius = (x2 - x1) / 2;
    var yradius = (y2 - y1) / 2;
    steps = clamp(steps, 3, 128);
    for (var number = 0; number < steps; number += 1) {
        var c1 = dcos(360 * number / steps);
        var s1 = dsin(360 * number / steps);
        var c2 = dcos(360 * (number + 1) / steps);
        var s2 = dsin(360 * (number + 1) / steps);
        old_quad(xmiddle + xradius * c1, ymiddle + yradius * s1, z1, xmiddle + xradius * c2, ymiddle + yradius * s2, z1, xmiddle + top * xradius * c2, ymiddle + top * yradius * s2, z2, xmiddle + top * xradius * c1, ymiddle + top * yradius * s1, z2, (c1 + c2) / 2, (s1 + s2) / 2, 0, hrepeat / steps, vrepeat);
        if (is_closed) {
            old_quad(xmiddle, ymiddle, z1, xmiddle, ymiddle, z1, xmiddle + xradius * c2, ymiddle + yradius * s2, z1, xmiddle + xradius * c1, ymiddle + yradius * s1, z1, 0, 0, -1, hrepeat, vrepeat);
            old_quad(xmiddle, ymiddle, z2, xmiddle, ymiddle, z2, xmiddle + top * xradius * c1, ymiddle + top * yradius * s1, z2, xmiddle + top * xradius * c2, ymiddle + top * yradius * s2, z2, 0, 0, 1, hrepeat, vrepeat);
        }
    }
}

function old_ellipsoid(x1, y1, z1, x2, y2, z2, hrepeat, vrepeat, steps) {
    var xmiddle = (x1 + x2) / 2;
    var ymiddle = (y1 + y2) / 2;
    var zmiddle = (z1 + z2) / 2;
    var xradius = (x2 - x1) / 2;
    var yradius = (y2 - y1) / 2;
    var zradius = (z2 - z1) / 2;
    steps = clamp(steps, 3, 64);
    var rows = ceil(steps / 2);
    for (var row = 0; row < rows; row += 1) {
        var flat1 = dsin(180 * row / rows);
        var flat2 = dsin(180 * (row + 1) / rows);
        var high1 = -dcos(180 * row / rows);
        var high2 = -dcos(180 * (row + 1) / rows);
        for (var number = 0; number < steps; number += 1) {
            var c1 = dcos(360 * number / steps);
            var s1 = dsin(360 * number / steps);
            var c2 = dcos(360 * (number + 1) / steps);
            var s2 = dsin(360 * (number + 1) / steps);
            old_quad(xmiddle + xradius * flat1 * c1, ymiddle + yradius * flat1 * s1, zmiddle + zradius * high1, xmiddle + xradius * flat1 * c2, ymiddle + yradius * flat1 * s2, zmiddle + zradius * high1, xmiddle + xradius * flat2 * c2, ymiddle + yradius * flat2 * s2, zmiddle + zradius * high2, xmiddle + xradius * flat2 * c1, ymiddle + yradius * flat2 * s1, zmiddle + zradius * high2, (flat1 + flat2) * (c1 + c2) / 4, (flat1 + flat2) * (s1 + s2) / 4, (high1 + high2) / 2, hrepeat / steps, vrepeat / rows);
        }
    }
}

function d3d_draw_block(x1, y1, z1, x2, y2, z2, texture, hrepeat, vrepeat) {
    d3d_primitive_begin_texture(pr_trianglelist, texture);
    old_block(x1, y1, z1, x2, y2, z2, hrepeat, vrepeat);
    d3d_primitive_end();
}

function d3d_draw_cylinder(x1, y1, z1, x2, y2, z2, texture, hrepeat, vrepeat, is_closed, steps) {
    d3d_primitive_begin_texture(pr_trianglelist, texture);
    old_round(x1, y1, z1, x2, y2, z2, 1, hrepeat, vrepeat, is_closed, steps);
    d3d_primitive_end();
}

function d3d_draw_cone(x1, y1, z1, x2, y2, z2, texture, hrepeat, vrepeat, is_closed, steps) {
    d3d_primitive_begin_texture(pr_trianglelist, texture);
    old_round(x1, y1, z1, x2, y2, z2, 0, hrepeat, vrepeat, is_closed, steps);
    d3d_primitive_end();
}

function d3d_draw_ellipsoid(x1, y1, z1, x2, y2, z2, texture, hrepeat, vrepeat, steps) {
    d3d_primitive_begin_texture(pr_trianglelist, texture);
    old_ellipsoid(x1, y1, z1, x2, y2, z2, hrepeat, vrepeat, steps);
    d3d_primitive_end();
}

/// The models: each is a list of parts, of corners.
function old_models() {
    static made = [];
    return made;
}

function d3d_model_create() {
    array_push(old_models(), []);
    return array_length(old_models()) - 1;
}

function d3d_model_destroy(model) {
    d3d_model_clear(model);
}

function d3d_model_clear(model) {
    array_set(old_models(), model, []);
}

function d3d_model_primitive_begin(model, kind) {
    var made = old_corners();
    made.recorded = [];
    array_push(array_get(old_models(), model), { kind: kind, corners: made.recorded });
}

function d3d_model_primitive_end(model) {
    var made = old_corners();
    made.recorded = -1;
}

function d3d_model_draw(model, px, py, pz, texture) {
    var before = matrix_get(matrix_world);
    old_transform(matrix_multiply(old_moved(px, py, pz), before), false);
    var parts = array_get(old_models(), model);
    for (var number = 0; number < array_length(parts); number += 1) {
        var part = parts[number];
        d3d_primitive_begin_texture(part.kind, texture);
        for (var place = 0; place < array_length(part.corners); place += 1) {
            var corner = part.corners[place];
            old_corner(corner[0], corner[1], corner[2], corner[3], corner[4], corner[5], corner[6], corner[7], corner[8], corner[9]);
        }
        d3d_primitive_end();
    }
    matrix_set(matrix_world, before);
}

function d3d_model_vertex(model, px, py, pz) {
    d3d_vertex(px, py, pz);
}

function d3d_model_vertex_color(model, px, py, pz, colour, alpha) {
    d3d_vertex_color(px, py, pz, colour, alpha);
}

function d3d_model_vertex_texture(model, px, py, pz, xtex, ytex) {
    d3d_vertex_texture(px, py, pz, xtex, ytex);
}

function d3d_model_vertex_texture_color(model, px, py, pz, xtex, ytex, colour, alpha) {
    d3d_vertex_texture_color(px, py, pz, xtex, ytex, colour, alpha);
}

function d3d_model_vertex_normal(model, px, py, pz, nx, ny, nz) {
    d3d_vertex_normal(px, py, pz, nx, ny, nz);
}

function d3d_model_vertex_normal_texture(model, px, py, pz, nx, ny, nz, xtex, ytex) {
    d3d_vertex_normal_texture(px, py, pz, nx, ny, nz, xtex, ytex);
}

function d3d_model_block(model, x1, y1, z1, x2, y2, z2, hrepeat, vrepeat) {
    d3d_model_primitive_begin(model, pr_trianglelist);
    old_block(x1, y1, z1, x2, y2, z2, hrepeat, vrepeat);
    d3d_model_primitive_end(model);
}

function d3d_model_wall(model, x1, y1, z1, x2, y2, z2, hrepeat, vrepeat) {
    d3d_model_primitive_begin(model, pr_trianglelist);
    old_wall(x1, y1, z1, x2, y2, z2, hrepeat, vrepeat);
    d3d_model_primitive_end(model);
}

function d3d_model_floor(model, x1, y1, z1, x2, y2, z2, hrepeat, vrepeat) {
    d3d_model_primitive_begin(model, pr_trianglelist);
    old_quad(x1, y1, z1, x2, y1, z2, x2, y2, z2, x1, y2, z1, 0, 0, 1, hrepeat, vrepeat);
    d3d_model_primitive_end(model);
}

function d3d_model_cylinder(model, x1, y1, z1, x2, y2, z2, hrepeat, vrepeat, is_closed, steps) {
    d3d_model_primitive_begin(model, pr_trianglelist);
    old_round(x1, y1, z1, x2, y2, z2, 1, hrepeat, vrepeat, is_closed, steps);
    d3d_model_primitive_end(model);
}

function d3d_model_cone(model, x1, y1, z1, x2, y2, z2, hrepeat, vrepeat, is_closed, steps) {
    d3d_model_primitive_begin(model, pr_trianglelist);
    old_round(x1, y1, z1, x2, y2, z2, 0, hrepeat, vrepeat, is_closed, steps);
    d3d_model_primitive_end(model);
}

function d3d_model_ellipsoid(model, x1, y1, z1, x2, y2, z2, hrepeat, vrepeat, steps) {
    d3d_model_primitive_begin(model, pr_trianglelist);
    old_ellipsoid(x1, y1, z1, x2, y2, z2, hrepeat, vrepeat, steps);
    d3d_model_primitive_end(model);
}
