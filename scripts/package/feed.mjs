import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { Fault } from '../setup/words.mjs'
import { packageVersion } from './identity.mjs'

/** @typedef {{ readonly feed: string, readonly page: string }} UpdateFeed the folder of the feed, and the page with packages for people */

/**
 * The feed that packages ask for updates, from `SKEIN_UPDATE_FEED` and `SKEIN_UPDATE_PAGE`; undefined without them: then updates are off.
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {UpdateFeed | undefined}
 * @throws {Fault} where one is missing or is no `https:` address
 */
export function updateFeedOf({ SKEIN_UPDATE_FEED: feed, SKEIN_UPDATE_PAGE: page }) {
  if (!feed && !page) return undefined
  if (!isHttps(feed) || !isHttps(page) || !feed?.endsWith('/') || !page)
    throw new Fault(
      'SKEIN_UPDATE_FEED is the https address of a folder, with a slash at its end, and SKEIN_UPDATE_PAGE that of a page: both, or none.',
    )
  return { feed, page }
}

/**
 * Writes the file that tells a package where to ask, into its resources; nothing where updates are off.
 * @param {string} resources
 * @param {UpdateFeed | undefined} feed
 */
export function writeUpdateFeed(resources, feed) {
  if (feed === undefined) return
  fs.mkdirSync(resources, { recursive: true })
  fs.writeFileSync(path.join(resources, 'update-feed.json'), `${JSON.stringify(feed)}\n`)
}

/**
 * What the feed of a system answers with (`latest-linux.json` and so on): the version and each package with its size and SHA-512.
 * @param {readonly string[]} packages files
 */
export function newestRelease(packages) {
  const of = packages.map((file) => {
    const bytes = fs.readFileSync(file)
    const sha512 = createHash('sha512').update(bytes).digest('base64')
    return { name: path.basename(file), size: bytes.length, sha512 }
  })
  return `${JSON.stringify({ version: packageVersion(), packages: of }, null, 2)}\n`
}

/** @param {string | undefined} text */
function isHttps(text) {
  try {
    return new URL(text ?? '').protocol === 'https:'
  } catch {
    return false
  }
}
