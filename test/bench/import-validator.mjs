// The process that the bench validator-import times: one guard, imported by package name and called.
import { isTaskExtensionData } from '@tiny-harness/contract/task/v1/task';

if (!isTaskExtensionData({ name: 'Report', goal: 'Write the quarterly report' })) {
  throw new Error('a valid task was refused');
}
