import path from 'node:path'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { trimmedIn } from '../common/drafts'
import { fileOf } from '../common/one-file'
import { anyName, type Layout } from '../common/sessions/layout'
import { layoutBackup } from '../common/sessions/layout-backup'
import { lineSessionReader } from '../common/sessions/line-sessions'
import { sideJson } from '../common/sessions/side-json'
import { janFormat } from './known'
import { janLine, janTime } from './line'

const folders: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: '~/Library/Application Support/Jan/data',
  win32: '~/AppData/Roaming/Jan/data',
}

/** What `thread.json`, beside a thread's messages, tells of it. */
const threadOf = sideJson((value) => {
  const { title, created } = isJsonObject(value) ? value : {}
  return { title: trimmedIn(title), createdAt: janTime(created) }
})

const besideOf = (base: string, file: string) => path.join(base, path.dirname(file), 'thread.json')

/** Titles that Jan gives a thread until it has one of its own. */
const placeholder = /^New Thread$/i

function ownTitle(title: string | undefined): string | undefined {
  return title === undefined || placeholder.test(title) ? undefined : title
}

const layouts: readonly Layout[] = [['threads', anyName, 'messages.jsonl']]

/**
 * The reader of Jan's threads: a folder each, with its messages one a line and a document about it.
 *
 * Format: read from Jan's source to August 2026 (docs/sources/jan.md). Left out: settings of assistants and models, which version of an
 * answer is shown.
 */
export const janReader = lineSessionReader({
  id: 'jan',
  defaultRoots: [folders[process.platform] ?? '~/.local/share/Jan/data'],
  watchedFolders: ['threads'],
  backup: layoutBackup(layouts, (name) => name === 'thread.json'),
  layouts,
  keyOf: ({ names }) => names.at(-2) || 'messages',
  meaningOf: janLine,
  fieldsOf: ({ created_at: created }) => ({ time: janTime(created) }),
  titleNames: [],
  async titleOf({ file }, base, disk) {
    return ownTitle((await threadOf(disk, besideOf(base, file)))?.title)
  },
  async sideFactsOf(ref, _found, disk) {
    const beside = await threadOf(disk, besideOf(ref.root, fileOf(ref).file))
    return beside?.createdAt === undefined ? {} : { createdAt: beside.createdAt }
  },
  known: janFormat,
  restatesNumbers: true,
  namesToolsEarlier: true,
  forkRule: 'every-child',
})
