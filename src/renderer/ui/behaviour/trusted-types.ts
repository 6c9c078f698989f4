/** The part of the browser's `trustedTypes` that is used; TypeScript has no types of it yet. */
interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (address: string) => string | undefined },
  ): unknown
}

/**
 * Lets scripts of the page's own build be started as workers, and nothing else become a script or HTML from a text: the
 * page's content security policy asks this policy, and takes no second one. Called once, before anything else.
 */
export function trustOwnScripts(base: string): void {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory }
  trustedTypes?.createPolicy('default', {
    createScriptURL: (address) => (isOwnScript(address, base) ? address : undefined),
  })
}

/** Returns true for a script in the folder of the build's files. Never throws. */
export function isOwnScript(address: string, base: string): boolean {
  try {
    const folder = new URL('./assets/', base).href
    const { href, search, hash } = new URL(address, base)
    return href.startsWith(folder) && href.endsWith('.js') && search === '' && hash === ''
  } catch {
    return false
  }
}
