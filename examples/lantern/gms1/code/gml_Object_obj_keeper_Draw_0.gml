var glow = light * scr_flicker(120);
draw_self();
draw_sprite_ext(spr_glow, 0, x, y, glow, glow, 0, c_white, 1);
draw_text(8, 4, "Fireflies: " + string(caught));
