import { accessibility } from './browser/views'
import { harnessOfFile } from './harness/serve'

accessibility(harnessOfFile())
