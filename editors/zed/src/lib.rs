//! Starts `overhaul lsp`, which has to be installed: pip install 'overhaul[lsp]'.
use zed_extension_api::{self as zed, settings::LspSettings, LanguageServerId, Result};

struct Overhaul;

impl zed::Extension for Overhaul {
    fn new() -> Self {
        Overhaul
    }

    /// The program that the settings name (`lsp.overhaul.binary`), or the one on the path.
    fn language_server_command(
        &mut self,
        id: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<zed::Command> {
        let chosen = LspSettings::for_worktree(id.as_ref(), worktree)
            .ok()
            .and_then(|settings| settings.binary);
        let (path, arguments) = match chosen {
            Some(binary) => (binary.path, binary.arguments),
            None => (None, None),
        };
        let command = path
            .or_else(|| worktree.which("overhaul"))
            .ok_or("overhaul is not installed: pip install 'overhaul[lsp]'")?;
        Ok(zed::Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".into()]),
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Overhaul);
