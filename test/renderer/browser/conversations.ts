import type { Page } from 'playwright-core'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import type { SourceId } from '../../../src/shared/model/conversation/sources'
import { summaryOf } from '../harness/memory-home'
import { type RowDraft, rowsOf } from '../harness/rows'
import { openConversation } from './page'

/** Adds a conversation of another system to the home in the page, and opens it. */
export async function openForeign(
  page: Page,
  source: SourceId,
  title: string,
  drafts: readonly RowDraft[],
): Promise<void> {
  const key = LibraryKey.parse(source === 'chibi' ? title : `${source}:${title}`)
  const summary = summaryOf(title, { source, key })
  const rows = rowsOf(drafts, { file: `${title}.jsonl` })
  await page.evaluate(
    (context) => {
      window.home.contexts.set(context.summary.key, context)
      window.home.changeLibrary({ conversations: [context.summary], gone: [] })
    },
    { summary, rows },
  )
  await openConversation(page, title)
}
