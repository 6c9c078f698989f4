import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import {
  ExpiryNote,
  SideFileFacts,
  WaitingMessages,
} from '../../../../src/renderer/details/facts/SideFileFacts'
import type { ContextSideFiles } from '../../../../src/shared/model/conversation/conversation'

const nothing: ContextSideFiles = {
  inbox: [],
  inboxCount: 0,
  inboxDamaged: 0,
  hasSystemPrompt: false,
  mark: null,
  expiresAt: null,
  pageMessages: 0,
  notices: [],
}

describe('the inbox', () => {
  it('is not shown where nothing waits', () => {
    expect(renderToStaticMarkup(<WaitingMessages beside={nothing} />)).toBe('')
  })

  it('shows what waits as text, and tells of what is damaged', () => {
    const inbox = [{ id: 'm', from: 'zoo', text: '<b>Now</b>\n# not a head', at: 1e20 }]
    const html = renderToStaticMarkup(
      <WaitingMessages beside={{ ...nothing, inbox, inboxCount: 3, inboxDamaged: 2 }} />,
    )
    expect(html).toContain('&lt;b&gt;Now&lt;/b&gt;\n# not a head')
    expect(html).toContain('And 2 more.')
    expect(html).toContain('2 lines are damaged.')
  })
})

it('warns of a context that chibi is going to delete, whatever number its time is', () => {
  expect(renderToStaticMarkup(<ExpiryNote beside={nothing} />)).toBe('')
  for (const expiresAt of [1_780_003_610, 1e20]) {
    const html = renderToStaticMarkup(<ExpiryNote beside={{ ...nothing, expiresAt }} />)
    expect(html).toContain('chibi will delete this')
    expect(html).toContain('On its next start after')
  }
})

it('tells which context is current, and whose prompt it has', () => {
  const html = renderToStaticMarkup(
    <SideFileFacts beside={{ ...nothing, mark: 'current', hasSystemPrompt: true }} />,
  )
  expect(html).toContain('Current context')
  expect(html).toContain('system_prompt.md')
  expect(renderToStaticMarkup(<SideFileFacts beside={nothing} />)).not.toContain('In chibi')
})
