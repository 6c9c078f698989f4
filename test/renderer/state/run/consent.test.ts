import { describe, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createConsentStore } from '../../../../src/renderer/state/run/consent'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import type { ConsentId } from '../../../../src/shared/ipc/runs/completion'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { type ConsentDraft, createMemoryHome } from '../../harness/memory-home'
import { keptInMap } from '../support/map-storage'
import { quietHome } from '../support/quiet-home'

const write: ConsentDraft = {
  tool: 'write_file',
  title: 'Make a.md with 1 line',
  arguments: '{"path":"a.md","content":"a\\n"}',
}

/** A window over a home in memory. */
function windowOf() {
  const home = createMemoryHome(quietHome())
  const api = createApi(home.api.transport)
  const stores = createStores(api, keptInMap())
  followMain(api, stores)
  return { home, api, stores, consent: stores.consent.getState }
}

const names = (waiting: readonly { readonly title: string }[]) => waiting.map(({ title }) => title)
const nth = (waiting: readonly { readonly consentId: ConsentId }[], index: number) => {
  const one = waiting[index]
  if (one === undefined) throw new Error(`nothing waits as number ${index}`)
  return one.consentId
}

describe('calls that wait for a word', () => {
  it('come and go as main tells', () => {
    const { home, consent } = windowOf()
    const first = home.askConsent('garden', write)
    home.askConsent('kitchen', { ...write, title: 'Make b.md with 1 line' })
    expect(names(consent().waiting)).toEqual(['Make a.md with 1 line', 'Make b.md with 1 line'])
    home.withdrawConsent(first)
    expect(names(consent().waiting)).toEqual(['Make b.md with 1 line'])
  })

  it('are asked for by a window that comes late, each of them once', async () => {
    const { home, stores, consent } = windowOf()
    const early = createMemoryHome(quietHome())
    early.askConsent('garden', write)
    const late = createConsentStore(createApi(early.api.transport))
    await late.getState().load()
    expect(names(late.getState().waiting)).toEqual([write.title])
    await late.getState().load()
    expect(late.getState().waiting).toHaveLength(1)

    home.askConsent('garden', write)
    await stores.app.getState().load()
    await consent().load()
    expect(consent().waiting).toHaveLength(1)
  })

  it('do not come back by an answer that was on its way when they ended', async () => {
    const { home, consent } = windowOf()
    const asked = home.askConsent('garden', write)
    const loading = consent().load()
    home.withdrawConsent(asked)
    await loading
    expect(consent().waiting).toEqual([])
  })

  it('go when the word has arrived', async () => {
    const { home, consent } = windowOf()
    home.askConsent('garden', write)
    await consent().decide(nth(consent().waiting, 0), 'always')
    expect([consent().waiting, consent().deciding]).toEqual([[], undefined])
    expect(home.decisions).toEqual([{ tool: 'write_file', decision: 'always' }])
  })

  it('wait on where the word did not arrive, and say why', async () => {
    const { home, consent } = windowOf()
    home.askConsent('garden', write)
    home.refuse(new AppError('not-found', 'No home is open.'))
    await consent().decide(nth(consent().waiting, 0), 'once')
    expect([consent().waiting.length, consent().refusal?.message, consent().deciding]).toEqual([
      1,
      'No home is open.',
      undefined,
    ])
    await consent().decide(nth(consent().waiting, 0), 'denied')
    expect([consent().waiting, consent().refusal]).toEqual([[], undefined])
    expect(home.decisions).toEqual([{ tool: 'write_file', decision: 'denied' }])
  })

  it('send one word, however often it is pressed', async () => {
    const { home, consent } = windowOf()
    home.askConsent('garden', write)
    const id = nth(consent().waiting, 0)
    await Promise.all([consent().decide(id, 'denied'), consent().decide(id, 'always')])
    await consent().decide(id, 'always')
    const sent = home.api.calls.filter(({ channel }) => channel === 'completion.decide')
    expect(sent.map(({ args }) => args)).toEqual([
      { consentId: id, digest: 'digest-1', decision: 'denied' },
    ])
  })

  it('are none of another home', async () => {
    const { home, consent } = windowOf()
    home.askConsent('garden', write)
    const loading = consent().load()
    consent().reset()
    await loading
    expect(consent().waiting).toEqual([])
  })
})
