import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { newestRelease, updateFeedOf, writeUpdateFeed } from '../../../scripts/package/feed.mjs'
import { packageVersion } from '../../../scripts/package/identity.mjs'
import { NewestRelease } from '../../../src/shared/model/updates'
import { tempFolders } from '../../support/temp-folder'

const temp = tempFolders()
const feed = 'https://skein.example/feed/'
const page = 'https://skein.example/packages'

it('leaves updates off where no feed is named', () => {
  const folder = temp()
  writeUpdateFeed(folder, updateFeedOf({}))
  expect(fs.readdirSync(folder)).toEqual([])
})

it('names the feed in the package, and refuses half of one and plain http', () => {
  const folder = temp()
  writeUpdateFeed(folder, updateFeedOf({ SKEIN_UPDATE_FEED: feed, SKEIN_UPDATE_PAGE: page }))
  const written = fs.readFileSync(path.join(folder, 'update-feed.json'), 'utf8')
  expect(JSON.parse(written)).toEqual({ feed, page })
  for (const half of [
    { SKEIN_UPDATE_FEED: feed },
    { SKEIN_UPDATE_PAGE: page },
    { SKEIN_UPDATE_FEED: 'https://skein.example/feed', SKEIN_UPDATE_PAGE: page },
    { SKEIN_UPDATE_FEED: 'http://skein.example/', SKEIN_UPDATE_PAGE: page },
  ])
    expect(() => updateFeedOf(half)).toThrow('both, or none')
})

it('writes what a feed answers with, as Skein reads it', () => {
  const file = path.join(temp(), 'skein_0.2.0_amd64.deb')
  fs.writeFileSync(file, 'a package')
  const sha512 = createHash('sha512').update('a package').digest('base64')
  expect(NewestRelease.parse(JSON.parse(newestRelease([file])))).toEqual({
    version: packageVersion(),
    packages: [{ name: 'skein_0.2.0_amd64.deb', size: 9, sha512 }],
  })
})
