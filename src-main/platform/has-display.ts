/** True where a window can be shown. */
export function hasDisplay(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): boolean {
  return platform === 'darwin' || platform === 'win32' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
}
