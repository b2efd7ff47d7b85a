/** Only secure pages without a name or password in the address may be opened: other schemes start other programs. */
export function mayOpen(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === ''
}
