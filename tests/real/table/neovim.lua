-- Neovim as a host: nvim --headless --clean -u neovim.lua FILE. Starts the language server that $PLAN (JSON)
-- names, edits FILE, asks for this and that, and does it again with another file.
local plan = vim.json.decode(vim.env.PLAN)
local client_id
local published = 0

local publish = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(...)
  published = published + 1
  return publish(...)
end

local function fail(what)
  io.stderr:write(what .. '\n')
  vim.cmd('cquit 1')
end

local function wait_for(what, condition)
  if not vim.wait(40000, condition, 10) then fail('no ' .. what) end
end

-- What a server reports of a file comes when it likes, and may not come at all.
local function settle(change)
  local before = published
  change()
  vim.wait(4000, function() return published > before end, 10)
end

local function ask(method, params)
  local client = vim.lsp.get_client_by_id(client_id)
  if not client.supports_method(method) then return end
  local answered, result
  vim.lsp.buf_request(0, method, params, function(_, value)
    answered, result = true, value
  end)
  wait_for(method, function() return answered end)
  return result
end

local function at(more)
  return vim.tbl_extend('force', {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = plan.line, character = plan.character },
  }, more or {})
end

local function ask_all()
  local document = { textDocument = vim.lsp.util.make_text_document_params() }
  ask('textDocument/hover', at())
  ask('textDocument/completion', at())
  ask('textDocument/definition', at())
  ask('textDocument/references', at({ context = { includeDeclaration = true } }))
  ask('textDocument/documentHighlight', at())
  ask('textDocument/documentSymbol', document)
  ask('textDocument/codeAction', {
    textDocument = document.textDocument,
    range = { start = at().position, ['end'] = at().position },
    context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics(0, plan.line) },
  })
  ask('textDocument/formatting', {
    textDocument = document.textDocument,
    options = { tabSize = 2, insertSpaces = true },
  })
end

local function rename(position)
  return ask('textDocument/rename', at({ position = position, newName = 'changed' }))
end

local function edit()
  local set = vim.api.nvim_buf_set_text
  settle(function() set(0, 0, 0, 0, 0, { 'x' }) end)
  settle(function() set(0, 0, 0, 0, 1, { '' }) end)
  settle(function() set(0, 0, 0, 2, 0, { 'one', 'two \240\159\145\139 three', '' }) end)
  settle(function() set(0, 1, 8, 1, 9, { '_' }) end)
  settle(function() vim.cmd('silent undo') end)
  settle(function() vim.cmd('silent undo') end)
  settle(function() vim.cmd('silent %delete _') end)
  settle(function() vim.cmd('silent earlier 1f') end)
  rename({ line = 1, character = 0 }) -- where no name is
  local renamed = rename({ line = plan.line, character = plan.character })
  if renamed and not vim.tbl_islist(renamed) then
    settle(function() vim.lsp.util.apply_workspace_edit(renamed, 'utf-16') end)
  end
end

local function attach()
  vim.bo.filetype = plan.language
  settle(function() vim.lsp.buf_attach_client(0, client_id) end)
end

vim.api.nvim_create_autocmd('VimEnter', {
  callback = function()
    client_id = vim.lsp.start_client({ name = 'server', cmd = plan.command, root_dir = vim.fn.getcwd() })
    wait_for('answer to initialize', function() return vim.lsp.get_client_by_id(client_id).initialized end)
    attach()
    ask_all()
    edit()
    vim.cmd('silent write')
    vim.cmd('edit ' .. vim.fn.fnameescape(plan.other))
    attach()
    ask_all()
    vim.cmd('bdelete!')
    vim.lsp.stop_client(client_id)
    wait_for('end', function() return vim.lsp.client_is_stopped(client_id) end)
    vim.cmd('cquit 0')
  end,
})
