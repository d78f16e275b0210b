-- What HAProxy has no words for: which request is served, by whose token, and under which id.

local SECRET = os.getenv("JWT_SECRET")
local ORIGIN = os.getenv("ALLOWED_ORIGIN")
local MOST_BODY_BYTES = 1048576
local ROLES = { SUPERVISOR = true, CUSTOMER = true, CUSTOMER_MANAGER = true, PARK_MANAGER = true, DEVICE = true }

-- The values of a field, in their order.
local function values(fields, name)
    local found = {}
    local there = fields[name]
    if there then
        for index = 0, #there do
            if there[index] then
                found[#found + 1] = there[index]
            end
        end
    end
    return found
end

local function only(fields, name)
    local found = values(fields, name)
    return #found == 1 and found[1] or nil
end

local function has_dots(path)
    local plain = path:gsub("%%2[fF]", "/"):gsub("%%5[cC]", "/"):gsub("\\", "/"):gsub("%%2[eE]", ".")
    for segment in (plain .. "/"):gmatch("([^/]*)/") do
        if segment == "." or segment == ".." then
            return true
        end
    end
    return false
end

-- The members of a JSON object, each text in its quotes. Raises an error where it is none: HAProxy's own reader
-- takes what is no JSON, and does not tell a text from a number.
local function members(text)
    local at = text:match("^[ \t\r\n]*()")
    local value

    local function take(pattern)
        local taken, behind = text:match("^(" .. pattern .. ")[ \t\r\n]*()", at)
        at = assert(behind)
        return taken
    end

    local function quoted()
        local from = at
        assert(text:byte(at) == 34)
        at = at + 1
        while text:byte(at) ~= 34 do
            at = assert(text:match('^[^"\\%c]+()', at) or text:match('^\\["\\/bfnrt]()', at)
                or text:match("^\\u%x%x%x%x()", at))
        end
        local found = text:sub(from, at)
        take('"')
        return found
    end

    local function collection(close, is_named)
        local found = {}
        if text:sub(at, at) ~= close then
            repeat
                local name = is_named and quoted()
                if name then
                    take(":")
                end
                found[name or #found + 1] = value()
            until text:sub(at, at) ~= "," or not take(",")
        end
        take("%" .. close)
        return found
    end

    function value()
        local first = text:sub(at, at)
        if first == '"' then
            return quoted()
        elseif first == "{" then
            take("{")
            return collection("}", true)
        elseif first == "[" then
            take("%[")
            return collection("]", false)
        end
        local word = take("[%w.+-]+")
        assert(word == "true" or word == "false" or word == "null" or word:match("^%-?%d+%.?%d*[eE]?[+-]?%d*$"))
        return word
    end

    local found = value()
    assert(at > #text and type(found) == "table")
    return found
end

local function number(value)
    return type(value) == "string" and tonumber(value)
end

local key -- SECRET, as `hmac` takes it

-- Whether that is the signature of a text, found in a time that says nothing of it. HAProxy's own jwt_verify takes a
-- key for the name of a file as well: OpenSSL keeps the error, and reports it of the next read on a caller's connection.
local function is_signed(c, text, signature)
    key = key or c:base64(SECRET)
    local wanted = c:ub64enc(c:hmac(text, "sha256", key))
    local difference = #wanted ~ #signature
    for at = 1, #wanted do
        difference = difference | (wanted:byte(at) ~ (signature:byte(at) or 0))
    end
    return difference == 0
end

-- The id and the role of a token that is valid, else nothing.
local function caller_of(txn, token)
    local c = txn.c
    local head, payload, signature = token:match("^([%w_-]+)%.([%w_-]+)%.([%w_-]+)$")
    if not head or not is_signed(c, head .. "." .. payload, signature) then
        return nil
    end
    local is_json, header, claims = pcall(function()
        return members(c:ub64dec(head)), members(c:ub64dec(payload))
    end)
    if not is_json or header['"alg"'] ~= '"HS256"' or header['"crit"'] then
        return nil
    end
    local now, begin, expiry = os.time(), claims['"nbf"'], number(claims['"exp"'])
    local id = tostring(claims['"sub"']):match('^"([1-9]%d*)"$')
    local role = tostring(claims['"role"']):match('^"([A-Z_]+)"$')
    if claims['"iss"'] == '"park-users"' and expiry and expiry > now
        and (begin == nil or (number(begin) and number(begin) <= now))
        and id and #id <= 16 and role and ROLES[role] then
        return id, role
    end
end

local function admit(txn, fields)
    local given = values(fields, "authorization")
    if #given > 1 then
        return "token-invalid"
    end
    local scheme, token = (given[1] or ""):match("^(%S+) +(%S.*)$")
    if not scheme or scheme:lower() ~= "bearer" then
        return "token-missing"
    end
    local id, role = caller_of(txn, token:match("^(.-)%s*$"))
    if not id then
        return "token-invalid"
    end
    txn:set_var("txn.user", id)
    txn:set_var("txn.role", role)
    return "forward"
end

-- Whose request it is, or why it is none's; the two open requests are anyone's.
local function routed(txn, fields, path)
    if not path or has_dots(path) then
        return "malformed"
    elseif path ~= "/users" and path:sub(1, 7) ~= "/users/" then
        return "not-found"
    elseif txn.f:method() == "POST" and (path == "/users" or path == "/users/login") then
        return "forward"
    end
    return admit(txn, fields)
end

local function verdict(txn, fields, page)
    local method = txn.f:method()
    local path = txn.f:path()
    if method == "OPTIONS" and page and fields["access-control-request-method"] then
        return "preflight"
    elseif path == "/health" then
        return (method == "GET" or method == "HEAD") and "up" or "method-not-allowed"
    end
    local found = routed(txn, fields, path)
    -- Counted here: in the configuration a number of 2^32 is 0.
    local is_large = (tonumber(only(fields, "content-length")) or 0) > MOST_BODY_BYTES
    return found == "forward" and is_large and "too-large" or found
end

-- Takes out the fields that a Connection field names.
local function end_named_fields(fields, delete)
    for _, value in ipairs(values(fields, "connection")) do
        for name in value:gmatch("[^%s,]+") do
            delete(name:lower())
        end
    end
end

core.register_action("judge", { "http-req" }, function(txn)
    local fields = txn.http:req_get_headers()
    local origin = only(fields, "origin")
    local page = ORIGIN and origin == ORIGIN and ORIGIN or nil
    local id = only(fields, "x-request-id")
    if not (id and #id >= 8 and #id <= 64 and id:match("^[%w-]+$")) then
        id = txn.f:uuid()
    end
    txn:set_var("txn.id", id)
    if page then
        txn:set_var("txn.page", page)
    end
    txn:set_var("txn.verdict", verdict(txn, fields, page))
    end_named_fields(fields, function(name) txn.http:req_del_header(name) end)
end)

core.register_action("end_named_fields", { "http-res" }, function(txn)
    end_named_fields(txn.http:res_get_headers(), function(name) txn.http:res_del_header(name) end)
end)

-- Once it listens, and by one of its threads.
if core.thread <= 1 then
    core.register_task(function()
        io.stdout:write("listening on " .. (os.getenv("HOST") or "127.0.0.1") .. ":" .. os.getenv("PORT") .. "\n")
        io.stdout:flush()
    end)
end
