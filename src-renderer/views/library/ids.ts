/** Elements that the keyboard map and the library's parts send the focus to. */
export const libraryFilterId = 'library-filter'
export const libraryListId = 'library-list'
