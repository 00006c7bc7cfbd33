-- Works in Neovim as a person does: opens a file, waits, reads what is shown, and takes what is offered.
-- Prints one line of JSON for each step.
local command = vim.fn.json_decode(vim.env.TRIVET_COMMAND)
local file = vim.env.TRIVET_FILE

local function say(step, value)
  io.stdout:write(vim.fn.json_encode({ step = step, value = value }) .. "\n")
end

local function shown()
  return vim.tbl_map(function(each)
    return { line = each.lnum + 1, message = each.message, severity = each.severity }
  end, vim.diagnostic.get(0))
end

local function wait_for(count)
  local seen = vim.wait(60000, function() return #vim.diagnostic.get(0) == count end, 20)
  if not seen then say("timeout", shown()) vim.cmd("cquit") end
end

vim.cmd("edit " .. vim.fn.fnameescape(file))
local client = vim.lsp.start_client({ name = "trivet", cmd = command, root_dir = vim.fn.fnamemodify(file, ":h") })
vim.lsp.buf_attach_client(0, client)
wait_for(1)
say("warning", shown())

vim.fn.search("new ids\\.Endpoint(one")
local function request(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
  return answers[client].result
end
local place = vim.lsp.util.make_position_params()
say("hover", request("textDocument/hover", place).contents.value)
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics() }
local action = request("textDocument/codeAction", params)[1]
say("action", action.title)
vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
wait_for(0)
say("text", table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"))
vim.lsp.stop_client(client)
vim.wait(5000, function() return vim.lsp.get_client_by_id(client) == nil end)
vim.cmd("quitall!")
