import { quoteConversation } from '../../../src/main/home/mentions/quote'
import type { Contract } from '../../../src/shared/ipc/contract'
import type { Handlers } from '../../../src/shared/ipc/wire/primitives'
import { rankOfFile } from '../../../src/shared/model/attachments/mentions'
import { AppError } from '../../../src/shared/model/basics/errors'
import type { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import type { PageFrom, TranscriptPage } from '../../../src/shared/model/conversation/transcript'

const files: Readonly<Record<string, string>> = {
  '/work/station/importer.py': 'def import_rows():\n    ...\n',
  '/work/station/data/rain.csv': 'day;mm\n1;3\n',
  '/work/station/data/blob.bin': 'a\0b',
}

/** Files of an allowed folder, and quotes, over a home in memory. */
export function memoryMentions(home: {
  page(key: LibraryKey, from: PageFrom, limit: number): TranscriptPage
  titleOf(key: LibraryKey): string
}): Handlers<Contract['mentions']> {
  return {
    async files({ query }) {
      const all = Object.keys(files).map((path) => {
        const way = path.slice('/work/station/'.length).split('/')
        return { path, name: way.at(-1) ?? '', folder: way.slice(0, -1).join('/') }
      })
      return { files: all.filter((file) => rankOfFile(file, query) > 0), isCut: false }
    },
    async readFile({ path }) {
      const text = files[path]
      if (text === undefined) throw new AppError('bad-argument', 'It was not attached: it is gone.')
      return { name: path.split('/').at(-1) ?? '', bytes: new TextEncoder().encode(text) }
    },
    quote: ({ key, part }) =>
      quoteConversation(
        { page: async (of, from, limit) => home.page(of, from, limit) },
        { key, title: home.titleOf(key), part },
      ),
  }
}
