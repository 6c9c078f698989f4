import { afterAll, beforeAll } from 'vitest'
import { accessibility } from './browser/views'
import { type Harness, openHarness } from './harness/serve'

// Apart from browser.spec.ts, so that the two run side by side.
let harness: Harness
beforeAll(async () => {
  harness = await openHarness()
}, 180_000)
afterAll(() => harness.close())

accessibility(() => harness)
