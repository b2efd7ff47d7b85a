/**
 * Context windows in tokens, input and output together, as the makers documented them for their own services on
 * 2025-11-30. Other providers of the same model may give less, so they are unknown.
 */
const windows: Readonly<Record<string, number>> = {
  'anthropic/claude-3-5-haiku': 200_000,
  'anthropic/claude-3-5-sonnet': 200_000,
  'anthropic/claude-3-7-sonnet': 200_000,
  'anthropic/claude-haiku-4-5': 200_000,
  'anthropic/claude-opus-4': 200_000,
  'anthropic/claude-opus-4-1': 200_000,
  'anthropic/claude-opus-4-5': 200_000,
  'anthropic/claude-sonnet-4': 200_000,
  'anthropic/claude-sonnet-4-5': 200_000,
  'google/gemini-2.0-flash': 1_048_576,
  'google/gemini-2.5-flash': 1_048_576,
  'google/gemini-2.5-pro': 1_048_576,
  'openai/gpt-4.1': 1_047_576,
  'openai/gpt-4.1-mini': 1_047_576,
  'openai/gpt-4.1-nano': 1_047_576,
  'openai/gpt-4o': 128_000,
  'openai/gpt-4o-mini': 128_000,
  'openai/gpt-5': 400_000,
  'openai/gpt-5-codex': 400_000,
  'openai/gpt-5-mini': 400_000,
  'openai/gpt-5-nano': 400_000,
  'openai/o3': 200_000,
  'openai/o4-mini': 200_000
}

/** A date or a word for the newest at the end of a name. */
const version = /(?:-\d{8}|-\d{4}-\d{2}-\d{2}|-latest|-0)$/

/**
 * The window of a model (`provider/name`) in tokens; null where it is unknown. `largest` is the largest context that was
 * recorded with it: one beyond the documented window shows that another holds there, which is then unknown.
 */
export function modelWindow(model: string, largest: number): number | null {
  const name = model.replace(version, '')
  const known = Object.hasOwn(windows, name) ? windows[name] : undefined
  return known === undefined || largest > known ? null : known
}
