import * as v from 'valibot'
import type { CallMap } from '#shared/rpc/types.ts'

const themes = ['system', 'light', 'dark'] as const
const contrasts = ['system', 'more'] as const
const densities = ['comfortable', 'compact'] as const
const libraryGroups = ['project', 'date', 'agent'] as const
const librarySorts = ['date', 'name'] as const

/** CSS pixels; null where the person never moved the line. */
const width = v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(4096))), null)

const members = {
  theme: v.optional(v.picklist(themes), 'system'),
  contrast: v.optional(v.picklist(contrasts), 'system'),
  density: v.optional(v.picklist(densities), 'comfortable'),
  libraryWidth: width,
  inspectorWidth: width,
  libraryGroup: v.optional(v.picklist(libraryGroups), 'project'),
  librarySort: v.optional(v.picklist(librarySorts), 'date'),
  /** Folder of the one project that the library shows; null for all. */
  libraryProject: v.optional(v.nullable(v.string()), null)
}

/** How the person wants the window to look; what is left out has its default. */
export const Settings = v.strictObject(members)
export type Settings = v.InferOutput<typeof Settings>

const { theme, contrast, density, libraryWidth, inspectorWidth, libraryGroup, librarySort, libraryProject } = members

export const settingsCalls = {
  /** `problem` says why the file of settings was set aside or cannot be read; null where all is well. */
  'settings.get': {
    input: v.object({}),
    output: v.object({ settings: Settings, problem: v.nullable(v.string()) })
  },
  /** Changes what is named. Refused as `read-only` where it cannot be kept. */
  'settings.set': {
    input: v.strictObject({
      theme: v.exactOptional(theme.wrapped),
      contrast: v.exactOptional(contrast.wrapped),
      density: v.exactOptional(density.wrapped),
      libraryWidth: v.exactOptional(libraryWidth.wrapped),
      inspectorWidth: v.exactOptional(inspectorWidth.wrapped),
      libraryGroup: v.exactOptional(libraryGroup.wrapped),
      librarySort: v.exactOptional(librarySort.wrapped),
      libraryProject: v.exactOptional(libraryProject.wrapped)
    }),
    output: Settings
  }
} as const satisfies CallMap
