-- Neovim as a host: nvim --headless --clean -u nvim.lua FILE. Starts the language server that
-- $PLUGIN_COMMAND (JSON, a list) names, and writes what it saw to $SAW as JSON.
local saw = { hover = {}, progress = {} }
local client_id

local function finish(code)
  local file = assert(io.open(vim.env.SAW, 'w'))
  file:write(vim.json.encode(saw))
  file:close()
  vim.cmd('cquit ' .. code)
end

local function wait_for(what, condition)
  if vim.wait(20000, condition, 10) then return end
  saw.failed = what
  finish(1)
end

-- One request, its answer awaited.
local function ask(method, params)
  local answer
  vim.lsp.buf_request(0, method, params, function(err, result)
    answer = { error = err, result = result }
  end)
  wait_for(method, function() return answer end)
  return answer
end

local function at(line, character)
  return {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = line, character = character },
  }
end

local function diagnostics()
  return vim.tbl_map(function(one)
    return { one.lnum, one.col, one.severity, one.message, one.code }
  end, vim.diagnostic.get(0))
end

vim.api.nvim_create_autocmd('VimEnter', {
  callback = function()
    client_id = vim.lsp.start_client({
      name = 'clangd',
      cmd = vim.json.decode(vim.env.PLUGIN_COMMAND),
      root_dir = vim.fn.getcwd(),
    })
    vim.lsp.buf_attach_client(0, client_id)
    wait_for('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
    saw.diagnostics = diagnostics()
    saw.hover = ask('textDocument/hover', at(3, 5))
    saw.definition = ask('textDocument/definition', at(8, 21))
    saw.symbols = ask('textDocument/documentSymbol', {
      textDocument = vim.lsp.util.make_text_document_params(),
    })

    -- Fixes the line; the server must report that nothing is wrong any more.
    vim.api.nvim_buf_set_text(0, 8, 34, 8, 47, { '' })
    saw.line = vim.api.nvim_buf_get_lines(0, 8, 9, false)[1]
    wait_for('no diagnostics', function() return #vim.diagnostic.get(0) == 0 end)
    saw.renamed = ask('textDocument/rename', vim.tbl_extend('error', at(3, 5), { newName = 'add_up' }))

    saw.capabilities = vim.lsp.get_client_by_id(client_id).server_capabilities
    vim.lsp.stop_client(client_id)
    wait_for('the end', function() return vim.lsp.client_is_stopped(client_id) end)
    finish(0)
  end,
})
