-- For scripts that ask XINFO: one part of its answer, a list of names and values, by its names.
local function named(list)
  local fields = {}
  for i = 1, #list, 2 do
    fields[list[i]] = list[i + 1]
  end
  return fields
end

