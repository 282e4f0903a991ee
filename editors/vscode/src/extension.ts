// The extension: starts `overhaul lsp`, and gives its code lenses and commands a place in VS Code.
import * as vscode from "vscode";
import {
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
} from "vscode-languageclient/node";

const LANGUAGES = ["gml", "ags"];
/** What the server calls its commands, and its lenses "3 uses". */
const PACK = "overhaul.pack";
const USES = "overhaul.showUses";

interface Place {
  uri: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
}

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("overhaul.restart", start),
    vscode.commands.registerCommand("overhaul.packFolder", packFolder),
    vscode.commands.registerCommand(USES, showUses),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("overhaul.command")) void start();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** Start the server, in the place of one that runs. */
async function start(): Promise<void> {
  await client?.stop();
  const chosen = vscode.workspace.getConfiguration("overhaul").get<string[]>("command", ["overhaul", "lsp"]);
  const [command = "overhaul", ...args] = chosen;
  const run: ServerOptions = { command, args };
  const options: LanguageClientOptions = {
    documentSelector: [
      ...LANGUAGES.map((language) => ({ scheme: "file", language })),
      { scheme: "file", language: "json" },
      // The code of projects of Studio 1 is in their XML.
      { scheme: "file", pattern: "**/*.{object,room,timeline}.gmx" },
    ],
    // Files of any kind may be changed by other programs, and count when the folder is packed.
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*") },
  };
  client = new LanguageClient("overhaul", "Overhaul", run, options);
  try {
    await client.start();
  } catch (error) {
    void vscode.window.showErrorMessage(
      `Overhaul could not be started (${String(error)}). Install it with: pip install 'overhaul[lsp]', or set overhaul.command.`,
    );
  }
}

/** Pack the folder of the file that is shown. */
async function packFolder(): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined || client === undefined) return;
  await vscode.workspace.saveAll(false);
  try {
    const written: string = await client.sendRequest("workspace/executeCommand", {
      command: PACK,
      arguments: [client.code2ProtocolConverter.asUri(uri)],
    });
    void vscode.window.showInformationMessage(`Packed: ${written}`);
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}

/** Show the uses that a lens counts. */
async function showUses(uri: string, at: { line: number; character: number }, places: Place[]): Promise<void> {
  const locations = places.map(
    ({ uri: file, range: { start, end } }) =>
      new vscode.Location(
        vscode.Uri.parse(file),
        new vscode.Range(start.line, start.character, end.line, end.character),
      ),
  );
  const position = new vscode.Position(at.line, at.character);
  await vscode.commands.executeCommand("editor.action.showReferences", vscode.Uri.parse(uri), position, locations);
}
