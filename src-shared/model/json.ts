/** A value of JSON. The store APIs' types lead here and no further, so this imports nothing that needs our own settings. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }
