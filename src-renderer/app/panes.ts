/** The three panes from left to right; the splitters and the keyboard name them. */
export const paneIds = ['pane-library', 'pane-session', 'pane-inspector'] as const
