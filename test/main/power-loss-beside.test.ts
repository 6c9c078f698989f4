import { describePowerLoss } from '../support/after-power-loss'
import { fileOperations } from '../support/power-lost-files'

describePowerLoss(fileOperations)
