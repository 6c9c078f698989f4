import { backgroundNotices } from './browser/background'
import { configuration } from './browser/config'
import { consent } from './browser/consent'
import { images } from './browser/images'
import { keptPatterns } from './browser/kept-patterns'
import { mentions } from './browser/mentions'
import { choosingModels } from './browser/models'
import { contextNotes } from './browser/notes'
import { ownKeys } from './browser/own-keys'
import { commandPalette } from './browser/palette'
import { pluginSettings } from './browser/plugins'
import { savedPrompts } from './browser/prompts'
import { queuedMessages } from './browser/queue'
import { textFiles } from './browser/text-files'
import { homeTexts } from './browser/texts'
import { windowMeter } from './browser/window-meter'
import { harnessOfFile } from './harness/serve'

// What is done: settings, messages and what goes with them, tools, models.
const harness = harnessOfFile()
backgroundNotices(harness)
keptPatterns(harness)
configuration(harness)
consent(harness)
images(harness)
mentions(harness)
choosingModels(harness)
contextNotes(harness)
commandPalette(harness)
ownKeys(harness)
pluginSettings(harness)
savedPrompts(harness)
queuedMessages(harness)
homeTexts(harness)
textFiles(harness)
windowMeter(harness)
