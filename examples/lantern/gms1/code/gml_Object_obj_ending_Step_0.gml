if (keyboard_check_pressed(vk_enter))
{
    game_restart();
}
