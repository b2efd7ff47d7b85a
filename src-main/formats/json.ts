import type { Json, JsonObject } from '#shared/model/records.ts'

/** The value if it is a string, else null. */
export function asString(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}

/** The value if it is a finite number, else null. */
export function asNumber(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** The value if it is an object and no array, else null. */
export function asObject(value: Json | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}

/** The value if it is an array, else an empty one. */
export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

/** Indented JSON; what is nested too deeply to be written is said so instead. */
export function indented(value: Json | undefined): string {
  try {
    return JSON.stringify(value, null, 2) ?? ''
  } catch (error) {
    if (error instanceof RangeError) return '[nested too deeply to be shown]'
    throw error
  }
}
