-- A session in a real editor: a broken link appears, a code action fixes it, and it vanishes.
--
--     cd DIRECTORY && URIGREP=urigrep nvim --headless -u NONE -l session.lua      (0.9 or newer)
--     cd DIRECTORY && URIGREP=urigrep nvim --headless -u NONE -S session.lua      (older)
--
-- The directory has `a.md` with a link to `B.md` and the file `b.md`. `cargo test --test command
-- lsp::neovim` runs this where Neovim is installed. It prints what the editor shows.

local WAIT = 15000 -- milliseconds

local function say(text)
  io.stdout:write(text .. "\n")
end

local function finish(problem)
  if problem then
    say("FAILED: " .. problem)
  end
  vim.cmd(problem and "cquit 1" or "qall!")
end

local function shown()
  local lines = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    table.insert(lines, ("%d:%d %s"):format(diagnostic.lnum + 1, diagnostic.col + 1, diagnostic.code))
  end
  return lines
end

local function session()
  vim.cmd("edit a.md")
  local client = vim.lsp.start_client({
    name = "urigrep",
    cmd = { vim.env.URIGREP or "urigrep", "lsp" },
    root_dir = vim.fn.getcwd(),
  })
  vim.lsp.buf_attach_client(0, client)
  if not vim.wait(WAIT, function() return #shown() > 0 end, 20) then
    return "no diagnostic appears"
  end
  say("appears: " .. table.concat(shown(), ", "))

  local at = vim.diagnostic.get(0)[1]
  local encoding = vim.lsp.get_client_by_id(client).offset_encoding
  local range = { start = { line = at.lnum, character = at.col }, ["end"] = { line = at.end_lnum, character = at.end_col } }
  local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    range = range,
    context = { diagnostics = {} },
  }, WAIT)
  local actions = answers and answers[client] and answers[client].result or {}
  local chosen
  for _, action in ipairs(actions) do
    if action.isPreferred then
      chosen = action
    end
  end
  if not chosen then
    return "no preferred action"
  end
  say("action: " .. chosen.title)
  vim.lsp.util.apply_workspace_edit(chosen.edit, encoding)
  say("text: " .. table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "|"))
  if not vim.wait(WAIT, function() return #shown() == 0 end, 20) then
    return "the diagnostic stays"
  end
  say("vanished")
end

local ran, problem = pcall(session)
finish(not ran and problem or problem)
