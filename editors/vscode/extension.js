// Starts `urigrep lsp` and connects it to the editor.

"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function start() {
  const settings = vscode.workspace.getConfiguration("urigrep");
  const server = {
    command: settings.get("path"),
    args: ["lsp", ...settings.get("flags")],
    transport: TransportKind.stdio,
  };
  client = new LanguageClient("urigrep", "urigrep", server, {
    // Every text file has links; what has diagnostics is for the server to say.
    documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
    initializationOptions: settings.get("settings"),
  });
  return client.start();
}

async function restart() {
  await client?.stop();
  await start();
}

function activate(context) {
  const onChange = (event) => {
    if (event.affectsConfiguration("urigrep.path") || event.affectsConfiguration("urigrep.flags")) {
      return restart();
    }
    if (event.affectsConfiguration("urigrep.settings")) {
      const settings = vscode.workspace.getConfiguration("urigrep").get("settings");
      return client?.sendNotification("workspace/didChangeConfiguration", { settings });
    }
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("urigrep.restart", restart),
    vscode.workspace.onDidChangeConfiguration(onChange),
  );
  return start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
