/** A set with a member more, or without it where it has it. */
export function toggled(set: ReadonlySet<string>, member: string): ReadonlySet<string> {
  const copy = new Set(set)
  if (!copy.delete(member)) copy.add(member)
  return copy
}
