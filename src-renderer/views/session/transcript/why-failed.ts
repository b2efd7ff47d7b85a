/** Why an entry failed, in the first words that its facts have for it; undefined where they have none. */
export function whyFailed(facts: readonly (readonly [name: string, value: string])[]): string | undefined {
  const factOf = (name: string) => facts.find(([fact]) => fact === name)?.[1]
  const exit = factOf('Exit code')
  return factOf('Error') ?? factOf('Stop reason') ?? (exit === undefined ? undefined : `exit ${exit}`)
}
