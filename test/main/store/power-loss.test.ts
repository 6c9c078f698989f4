import { describePowerLoss } from '../../support/after-power-loss'
import { storeOperations } from '../../support/power-lost-work'

describePowerLoss(storeOperations)
