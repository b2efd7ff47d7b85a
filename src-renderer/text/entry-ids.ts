const longest = 16
const endLength = 11

/** An id by its end, where it is long: ids of a store that are long begin alike. */
export const shortEntryId = (id: string): string => (id.length <= longest ? id : `…${id.slice(-endLength)}`)
