// Walk, but not through walls.
var dx = keyboard_check(vk_right) - keyboard_check(vk_left);
var dy = keyboard_check(vk_down) - keyboard_check(vk_up);
if (!place_meeting(x + dx * walk_speed, y, obj_wall))
{
    x += dx * walk_speed;
}
if (!place_meeting(x, y + dy * walk_speed, obj_wall))
{
    y += dy * walk_speed;
}
if (dx != 0)
{
    image_xscale = dx;
}
// The lantern burns down.
light = max(0.4, light - 0.0005);
