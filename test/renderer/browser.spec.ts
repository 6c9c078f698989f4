import { afterAll, beforeAll } from 'vitest'
import { behaviour } from './browser/behaviour'
import { branches } from './browser/branches'
import { configuration } from './browser/config'
import { consent } from './browser/consent'
import { wholeContexts } from './browser/contexts'
import { exporting } from './browser/export'
import { images } from './browser/images'
import { keyboard } from './browser/keyboard'
import { landing } from './browser/landing'
import { library } from './browser/library'
import { lostAndFound } from './browser/lost'
import { choosingModels } from './browser/models'
import { contextNotes } from './browser/notes'
import { pluginSettings } from './browser/plugins'
import { rooms } from './browser/rooms'
import { scrolling } from './browser/scrolling'
import { searching } from './browser/search'
import { sourceRoots } from './browser/sources'
import { voices } from './browser/voices'
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
sourceRoots(() => harness)
configuration(() => harness)
pluginSettings(() => harness)
lostAndFound(() => harness)
library(() => harness)
keyboard(() => harness)
behaviour(() => harness)
rooms(() => harness)
consent(() => harness)
images(() => harness)
wholeContexts(() => harness)
contextNotes(() => harness)
choosingModels(() => harness)
voices(() => harness)
