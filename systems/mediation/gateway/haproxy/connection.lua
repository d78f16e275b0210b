-- Takes out the fields that a Connection field names. Called only where there is one.

local function names(fields)
    local found = {}
    for _, value in pairs(fields["connection"] or {}) do
        for name in value:gmatch("[^%s,]+") do
            found[#found + 1] = name:lower()
        end
    end
    return found
end

core.register_action("end_named_fields", { "http-req" }, function(transaction)
    for _, name in ipairs(names(transaction.http:req_get_headers())) do
        transaction.http:req_del_header(name)
    end
end)

core.register_action("end_named_fields", { "http-res" }, function(transaction)
    for _, name in ipairs(names(transaction.http:res_get_headers())) do
        transaction.http:res_del_header(name)
    end
end)
