import { AppError } from '../../shared/model/basics/errors'
import type { Permissions } from './permissions'
import type { NativeQuestion } from './question'
import { escapeInvisibleUpTo, quoteName } from './question-text'

/**
 * Opens links outside of Skein, each after a person has seen its address: its server learns everything in
 * it. A site that was allowed is opened without asking until this is let go.
 *
 * @param open hands an address to the system
 */
export function createLinkOpener(
  permissions: Permissions,
  open: (url: string) => Promise<void>,
): (text: string) => Promise<void> {
  const allowed = new Set<string>()
  return async (text) => {
    const link = linkIn(text)
    if (link === undefined)
      throw new AppError('bad-argument', 'Only web and mail addresses are opened.')
    const { url, site } = link
    if (site === undefined || !allowed.has(site)) {
      const answer = await permissions.ask(linkQuestion(link))
      if (answer === undefined) throw new AppError('denied', 'The link was not opened.')
      if (answer === 1 && site !== undefined) allowed.add(site)
    }
    await open(url)
  }
}

interface Link {
  readonly url: string
  /** Scheme, host and port; undefined for a mail. */
  readonly site: string | undefined
  readonly host: string
}

/**
 * Returns the link that may be opened for a text; undefined where none may. A mail link keeps only its recipient, not
 * its text or files.
 */
function linkIn(text: string): Link | undefined {
  const url = urlIn(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:')
    return { url: url.toString(), site: url.origin, host: url.host }
  if (url?.protocol === 'mailto:' && url.pathname !== '')
    return { url: `mailto:${url.pathname}`, site: undefined, host: '' }
  return undefined
}

function linkQuestion({ url, site, host }: Link): NativeQuestion {
  return {
    message:
      site === undefined
        ? 'Write a mail to this address?'
        : `Open ${quoteName(host)} in your browser?`,
    detail: escapeInvisibleUpTo(url, 1000),
    refusal: 'Cancel',
    answers: site === undefined ? ['Open'] : ['Open', 'Always Open This Site'],
  }
}

function urlIn(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined // URL.canParse is missing in the older runtime.
  }
}
