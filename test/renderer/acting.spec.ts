import { backgroundNotices } from './browser/background'
import { chosenConversations } from './browser/chosen'
import { configuration } from './browser/config'
import { consent } from './browser/consent'
import { wholeContexts } from './browser/contexts'
import { libraryFamilies } from './browser/families'
import { images } from './browser/images'
import { keptPatterns } from './browser/kept-patterns'
import { entryLabels } from './browser/labels'
import { library } from './browser/library'
import { lostAndFound } from './browser/lost'
import { mentions } from './browser/mentions'
import { choosingModels } from './browser/models'
import { contextNotes } from './browser/notes'
import { ownKeys } from './browser/own-keys'
import { commandPalette } from './browser/palette'
import { pluginSettings } from './browser/plugins'
import { savedPrompts } from './browser/prompts'
import { queuedMessages } from './browser/queue'
import { smartListsOfLibrary } from './browser/smart-lists'
import { sourceRoots } from './browser/sources'
import { conversationTags } from './browser/tags'
import { textFiles } from './browser/text-files'
import { homeTexts } from './browser/texts'
import { conversationTitles } from './browser/titles'
import { contextUpkeep } from './browser/upkeep'
import { windowMeter } from './browser/window-meter'
import { harnessOfFile } from './harness/serve'

// What is done: settings, contexts, tools, images, models.
const harness = harnessOfFile()
backgroundNotices(harness)
keptPatterns(harness)
configuration(harness)
consent(harness)
wholeContexts(harness)
images(harness)
library(harness)
libraryFamilies(harness)
smartListsOfLibrary(harness)
chosenConversations(harness)
entryLabels(harness)
lostAndFound(harness)
mentions(harness)
choosingModels(harness)
contextNotes(harness)
commandPalette(harness)
ownKeys(harness)
pluginSettings(harness)
savedPrompts(harness)
queuedMessages(harness)
sourceRoots(harness)
homeTexts(harness)
textFiles(harness)
conversationTitles(harness)
conversationTags(harness)
contextUpkeep(harness)
windowMeter(harness)
