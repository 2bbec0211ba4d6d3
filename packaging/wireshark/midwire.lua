-- Wireshark and tshark: the JSON-RPC messages of a tape of midwire (doc/trace-format.md). Runs after
-- the dissector of JSON: fills the columns Protocol and Info, adds the fields below, and links requests
-- to answers. doc/wireshark.md has its fields and its use. For Lua 5.1 and later, without modules.
--
-- A tape is not trusted: memory is bounded by the constants below, scanning uses no recursion, and a
-- packet that makes the code fail is shown without fields.

local kMaxMessage = 4 * 1024 * 1024  -- a longer one is shown without method and id
local kMaxMembers = 64               -- that are looked at in one object
local kMaxOpen = 100000              -- requests that wait for an answer; real sessions have under 1000
local kMaxEarly = 4                  -- segments after which the end of a line is awaited
local kMaxText = 200                 -- characters of a method, label or id

local kTagDissector, kTagDirection, kTagHead = 12, 35, 0x6D77

-- The member of params that names a call, by method.
local kLabels = {
  ["tools/call"] = "name",
  ["prompts/get"] = "name",
  ["resources/read"] = "uri",
  ["workspace/executeCommand"] = "command",
}

local midwire = Proto("midwire", "JSON-RPC over stdio (midwire)")
local fields = {
  method = ProtoField.string("midwire.method", "Method"),
  label = ProtoField.string("midwire.label", "Label"),
  id = ProtoField.string("midwire.id", "Id"),
  kind = ProtoField.string("midwire.kind", "Kind"),
  direction = ProtoField.string("midwire.direction", "Direction"),
  latency = ProtoField.double("midwire.latency", "Latency in seconds"),
  response_in = ProtoField.framenum("midwire.response_in", "Response in", base.NONE, frametype.RESPONSE),
  request_in = ProtoField.framenum("midwire.request_in", "Request in", base.NONE, frametype.REQUEST),
}
local list = {}
for _, field in pairs(fields) do list[#list + 1] = field end
midwire.fields = list

local shown   -- by packet number: what is known of its message
local parts   -- by direction: the segments of an unfinished message
local open    -- by direction and id: the requests without an answer, first in first out
local opened  -- how many these are

local function reset_session()
  parts = {[0] = nil, [1] = nil}
  open, opened = {}, 0
end

function midwire.init()
  shown = {}
  reset_session()
end

-- What may be printed: text of a peer can hold anything.
local function printable(text)
  if #text > kMaxText then text = text:sub(1, kMaxText) .. "..." end
  return (text:gsub("[^\32-\126]", "?"))
end

-- The position after a string that begins at `at`, or nil.
local function skip_string(text, at)
  local from = at + 1
  while true do
    local found = text:find('["\\]', from)
    if not found then return nil end
    if text:byte(found) == 0x22 then return found + 1 end
    from = found + 2
  end
end

-- The position after the value that begins at `at`, or nil.
local function skip_value(text, at)
  local first = text:sub(at, at)
  if first == '"' then return skip_string(text, at) end
  if first ~= "{" and first ~= "[" then
    local _, last = text:find("^[^%s,%]}]+", at)
    return last and last + 1
  end
  local depth = 0
  while true do
    local found = text:find('["%[%]{}]', at)
    if not found then return nil end
    local c = text:sub(found, found)
    if c == '"' then
      at = skip_string(text, found)
      if not at then return nil end
    else
      depth = depth + ((c == "{" or c == "[") and 1 or -1)
      at = found + 1
      if depth == 0 then return at end
    end
  end
end

-- The members of the object in `text`: name -> the JSON text of the value. The first of each name.
local function members_of(text)
  local members = {}
  local at = text:match("^%s*{%s*()")
  for _ = 1, at and kMaxMembers or 0 do
    if text:sub(at, at) ~= '"' then break end
    local after = skip_string(text, at)
    local value = after and text:match("^%s*:%s*()", after)
    local past = value and skip_value(text, value)
    if not past then break end
    local name = text:sub(at + 1, after - 2)
    if members[name] == nil then members[name] = text:sub(value, past - 1) end
    at = text:match("^%s*,%s*()", past)
    if not at then break end
  end
  return members
end

local function text_of(json)
  return json and json:match('^"(.*)"$') or json
end

-- Returns a table of fields, or nil if this is no message.
local function classify(text)
  if text:match("^%s*%[") then return {kind = "batch"} end
  if not text:match("^%s*{") then return nil end
  local m = members_of(text)
  local message = {id = m.id}
  if m.type and m.seq and not m.jsonrpc then  -- DAP
    local kind = text_of(m.type)
    message.id = m.seq
    message.method = text_of(m.command or m.event)
    if kind == "request" then
      message.kind = "request"
    elseif kind == "response" then
      message.kind = m.success == "false" and "error" or "response"
      message.answers = m.request_seq
    else
      message.kind = "notification"
      message.id = nil
    end
    return message
  end
  message.method = text_of(m.method)
  if m.method then
    message.kind = m.id and "request" or "notification"
    local member = kLabels[message.method]
    message.label = member and m.params and text_of(members_of(m.params)[member])
  elseif m.id and (m.error or m.result) then
    message.kind = m.error and m.error ~= "null" and "error" or "response"
    message.answers = m.id
  else
    message.kind = "invalid"
  end
  return message
end

-- Links a request and its answer; `from` is the direction of the message.
local function pair(message, from, number, time)
  if message.kind == "request" and message.id and opened < kMaxOpen then
    local key = from .. message.id
    local queue = open[key] or {first = 1, last = 0}
    queue.last = queue.last + 1
    queue[queue.last] = {number = number, time = time, message = message}
    open[key] = queue
    opened = opened + 1
  elseif message.answers then
    local key = (1 - from) .. message.answers
    local queue = open[key]
    if not queue then return end
    local request = queue[queue.first]
    queue[queue.first] = nil
    queue.first = queue.first + 1
    if queue.first > queue.last then open[key] = nil end
    opened = opened - 1
    message.request_in = request.number
    message.latency = math.floor((time - request.time) * 1e9 + 0.5) / 1e9
    message.method = request.message.method
    message.label = request.message.label
    request.message.response_in = number
  end
end

-- Whether this is an object or an array, to its end.
local function is_whole(text)
  if not text:match("^%s*[{%[]") or not text:match("[}%]]%s*$") then return false end
  local past = skip_value(text, text:match("^%s*()"))
  return past ~= nil and text:match("^%s*$", past) ~= nil
end

-- Adds a segment to the message of its direction. Returns the text of the message if it is complete.
local function collect(from, head, body)
  local part = parts[from]
  if part and head ~= "" and part.header:find("\r?\n\r?\n") then part = nil end  -- the next message
  part = part or {header = "", size = 0}
  parts[from] = part
  if #part.header < 65536 then part.header = part.header .. head end
  part.size = part.size + #body
  if part.size <= kMaxMessage then part[#part + 1] = body end
  local done
  if part.header == "" then
    -- The newline may come in a read of its own.
    done = body:sub(-1) == "\n" or #part <= kMaxEarly and is_whole(table.concat(part))
  else
    local length = part.header:lower():match("content%-length:%s*(%d+)")
    done = length and part.header:find("\r?\n\r?\n") and part.size >= tonumber(length)
  end
  if not done then return nil end
  parts[from] = nil
  return part.size <= kMaxMessage and table.concat(part) or ""
end

-- The tags before the body of a packet (link type 252), or nil. Each length is checked. What begins
-- otherwise is a packet of another kind: the link type is not known here, and fields of Wireshark are
-- not there in the first of two passes.
local function read_tags(bytes)
  if not bytes:match("^%z\12%z\4json") and not bytes:match("^%z\12%z\16data%-text%-lines") then
    return nil
  end
  local at, head, from, dissector = 1, "", nil, nil
  while at + 3 <= #bytes do
    local tag = bytes:byte(at) * 256 + bytes:byte(at + 1)
    local length = bytes:byte(at + 2) * 256 + bytes:byte(at + 3)
    local value = bytes:sub(at + 4, at + 3 + length)
    at = at + 4 + length
    if at > #bytes + 1 then return nil end
    if tag == 0 then return dissector, from, head, bytes:sub(at) end
    if tag == kTagDissector then dissector = value:match("^[%w%-]+") end
    if tag == kTagDirection and length == 4 then from = value:byte(4) == 0 and 0 or 1 end
    if tag == kTagHead then head = value end
  end
  return nil
end

local function examine(bytes, number, time)
  local dissector, from, head, body = read_tags(bytes)
  if not dissector then return nil end
  if not from then
    if dissector ~= "json" then return {kind = "stderr"} end
    local event = text_of(members_of(body).event)
    if event == "spawn" then reset_session() end
    return event and {kind = "event", method = event}
  end
  if not parts[from] and head == "" and body:match("^%s*$") then return nil end
  local text = collect(from, head, body)
  local message
  if text == nil then
    message = {kind = "part"}
  elseif text == "" then
    message = {kind = "long"}
  else
    message = classify(text) or {kind = "junk"}
  end
  message.direction = from == 0 and "h2p" or "p2h"
  pair(message, from, number, time)
  return message
end

local function show(message, pinfo, tree, tvb)
  local node = tree:add(midwire, tvb())
  for _, name in ipairs({"kind", "direction", "method", "label", "id"}) do
    if message[name] then node:add(fields[name], printable(message[name])) end
  end
  for _, name in ipairs({"latency", "request_in", "response_in"}) do
    if message[name] then node:add(fields[name], message[name]):set_generated() end
  end
  local info = {}
  if message.direction then info[1] = message.direction == "h2p" and "->" or "<-" end
  info[#info + 1] = message.kind
  if message.method then info[#info + 1] = printable(message.method) end
  if message.label then info[#info + 1] = printable(message.label) end
  if message.id then info[#info + 1] = "id=" .. printable(message.id) end
  if message.latency then info[#info + 1] = string.format("%.3f ms", message.latency * 1000) end
  pinfo.cols.protocol = "JSON-RPC"
  pinfo.cols.info = table.concat(info, " ")
end

function midwire.dissector(tvb, pinfo, tree)
  if not pinfo.visited then
    local ok, message = pcall(examine, tvb():raw(), pinfo.number, pinfo.rel_ts)
    shown[pinfo.number] = ok and message or nil
  end
  local message = shown[pinfo.number]
  if message then pcall(show, message, pinfo, tree, tvb) end
end

register_postdissector(midwire)
