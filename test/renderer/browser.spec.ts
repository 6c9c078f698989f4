import { afterAll, beforeAll } from 'vitest'
import { behaviour } from './browser/behaviour'
import { branches } from './browser/branches'
import { exporting } from './browser/export'
import { keyboard } from './browser/keyboard'
import { landing } from './browser/landing'
import { scrolling } from './browser/scrolling'
import { searching } from './browser/search'
import { accessibility } from './browser/views'
import { type Harness, openHarness } from './harness/serve'

let harness: Harness
beforeAll(async () => {
  harness = await openHarness()
}, 180_000)
afterAll(() => harness.close())

scrolling(() => harness)
landing(() => harness)
branches(() => harness)
exporting(() => harness)
searching(() => harness)
keyboard(() => harness)
behaviour(() => harness)
accessibility(() => harness)
