draw_text(40, 80, "The cave is lit. Thank you for playing.");
