import type { Outline, OutlineChange } from '#shared/model/entry.ts'
import { sameStart } from './same-start.ts'

type Kept = OutlineChange['kept']

/** How much of an outline, from the start of each of its lists, is in a later one as it was. */
export function keptIn(before: Outline, after: Outline): Kept {
  return {
    entries: Math.min(
      sameStart(before.ids, after.ids),
      sameStart(before.parents, after.parents),
      sameStart(before.kinds, after.kinds),
      sameStart(before.roles, after.roles)
    ),
    roleNames: sameStart(before.roleNames, after.roleNames),
    labels: sameStart(before.labels, after.labels, (one, other) => one.at === other.at && one.label === other.label),
    leaves: sameStart(
      before.leaves,
      after.leaves,
      (one, other) => one.id === other.id && one.depth === other.depth && one.time === other.time
    )
  }
}

/** What is sure to be kept over two changes, one after the other. */
export const keptOverBoth = (first: Kept, second: Kept): Kept => ({
  entries: Math.min(first.entries, second.entries),
  roleNames: Math.min(first.roleNames, second.roleNames),
  labels: Math.min(first.labels, second.labels),
  leaves: Math.min(first.leaves, second.leaves)
})

/** What one lacks of an outline who has the start of its lists. */
export function changeBehind(outline: Outline, kept: Kept): OutlineChange {
  return {
    ...outline,
    kept,
    ids: outline.ids.slice(kept.entries),
    parents: outline.parents.slice(kept.entries),
    kinds: outline.kinds.slice(kept.entries),
    roles: outline.roles.slice(kept.entries),
    roleNames: outline.roleNames.slice(kept.roleNames),
    labels: outline.labels.slice(kept.labels),
    leaves: outline.leaves.slice(kept.leaves)
  }
}

/** The outline after a change of the one that the change was asked about; undefined stands for an outline of nothing. */
export function changedOutline(before: Outline | undefined, { kept, ...change }: OutlineChange): Outline {
  if (before === undefined) return change
  return {
    ...change,
    ids: before.ids.slice(0, kept.entries).concat(change.ids),
    parents: before.parents.slice(0, kept.entries).concat(change.parents),
    kinds: before.kinds.slice(0, kept.entries).concat(change.kinds),
    roles: before.roles.slice(0, kept.entries).concat(change.roles),
    roleNames: before.roleNames.slice(0, kept.roleNames).concat(change.roleNames),
    labels: before.labels.slice(0, kept.labels).concat(change.labels),
    leaves: before.leaves.slice(0, kept.leaves).concat(change.leaves)
  }
}
