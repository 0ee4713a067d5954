/** `keyport offer`: one seller's offer of a product. `keyport import offers` takes many. */
import type { Command } from 'commander';
import { addGroupCommand } from '../command-shape.ts';
import { addOperationCommand } from '../operation-command.ts';

export function addOfferCommand(program: Command): void {
  const offer = addGroupCommand(program, 'offer', 'Offers of sellers');
  addOperationCommand(offer, {
    name: 'put',
    operation: 'putOffer',
    makesId: true,
    example:
      'keyport offer put --product-id 10000000000017 --seller-id SELLER_ID --price 12.30 --status active',
  });
  addOperationCommand(offer, {
    name: 'list',
    operation: 'listOffers',
    columns: ['id', 'status', 'price', 'quantity', 'productId', 'sellerId'],
    example: 'keyport offer list --product-id 10000000000017',
  });
  addOperationCommand(offer, {
    name: 'show',
    operation: 'getOffer',
    example: 'keyport offer show 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111',
  });
  addOperationCommand(offer, {
    name: 'update',
    operation: 'updateOffer',
    example: 'keyport offer update 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111 --price 11.90',
  });
  addOperationCommand(offer, {
    name: 'pause',
    operation: 'updateOffer',
    summary: 'Take an offer off sale; it keeps its keys',
    example: 'keyport offer pause 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111',
    presetBody: { status: 'paused' },
  });
  addOperationCommand(offer, {
    name: 'resume',
    operation: 'updateOffer',
    summary: 'Put a paused offer on sale again',
    example: 'keyport offer resume 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111',
    presetBody: { status: 'active' },
  });
}
